import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { finishUpgradeSchema } from '@/lib/subscriptions/schema'

// The return from the card page looks at Stripe by itself; it grants nothing that was not paid.
export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  input: json(finishUpgradeSchema),
  run: async (ctx, { sessionId }) => ok({ isPro: await finishUpgrade(ctx, sessionId) }),
})
