import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { getPlan } from '@/lib/subscriptions/queries'
import { cancelSchema } from '@/lib/subscriptions/schema'
import { setCancelAtPeriodEnd } from '@/lib/subscriptions/set-cancel-at-period-end'

export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  limitPerAccount: STRIPE_CALL_LIMIT,
  input: json(cancelSchema),
  run: async (ctx, { isCanceling }) => {
    await setCancelAtPeriodEnd(ctx, isCanceling)
    return ok(await getPlan(ctx, ctx.actor.userId))
  },
})
