import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { finishUpgradeSchema } from '@/lib/subscriptions/schema'

// The browser makes this call when it returns from the card page. The subscription is read from Stripe, so that the
// call grants Pro only after a payment.
export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  limitPerAccount: STRIPE_CALL_LIMIT,
  input: json(finishUpgradeSchema),
  run: async (ctx, { sessionId }) => ok({ isPro: await finishUpgrade(ctx, sessionId) }),
})
