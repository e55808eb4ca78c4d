import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { finishUpgradeSchema } from '@/lib/subscriptions/schema'

// Called on the return from the card page. It reads the subscription from Stripe, so it grants nothing that was not
// paid.
export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  input: json(finishUpgradeSchema),
  run: async (ctx, { sessionId }) => ok({ isPro: await finishUpgrade(ctx, sessionId) }),
})
