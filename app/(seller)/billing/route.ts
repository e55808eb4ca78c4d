import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { openBillingPortal } from '@/lib/subscriptions/open-billing-portal'

// A page of Stripe's is made anew for each visit, so mails and buttons lead here.
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  run: async (ctx) => seeOther(await openBillingPortal(ctx)),
})
