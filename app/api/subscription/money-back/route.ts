import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { STRIPE_CALL_LIMIT } from '@/lib/infra/stripe-call-limit'
import { getPlan } from '@/lib/subscriptions/queries'
import { takeMoneyBack } from '@/lib/subscriptions/take-money-back'

export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  limitPerAccount: STRIPE_CALL_LIMIT,
  run: async (ctx) => {
    await takeMoneyBack(ctx)
    return ok(await getPlan(ctx, ctx.actor.userId))
  },
})
