import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { finishUpgradeSchema } from '@/lib/subscriptions/schema'

// The browser makes this call when it returns from the card page. The subscription is read from Stripe, so that the
// call grants Pro only after a payment.
export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  input: json(finishUpgradeSchema),
  run: async (ctx, { sessionId }) => ok({ isPro: await finishUpgrade(ctx, sessionId) }),
})
