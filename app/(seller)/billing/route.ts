import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { openBillingPortal } from '@/lib/subscriptions/open-billing-portal'

// Stripe creates a new billing page for each visit, so emails and pages link to this URL instead.
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  run: async (ctx) => seeOther(await openBillingPortal(ctx)),
})
