import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { openBillingPortal } from '@/lib/subscriptions/open-billing-portal'

// Stripe creates a new billing page for each visit, so emails and pages link to this URL instead.
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  limitPerAccount: STRIPE_CALL_LIMIT,
  run: async (ctx) => seeOther(await openBillingPortal(ctx)),
})
