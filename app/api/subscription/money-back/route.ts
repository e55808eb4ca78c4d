import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { getPlan } from '@/lib/subscriptions/queries'
import { takeMoneyBack } from '@/lib/subscriptions/take-money-back'

export const POST = route({
  who: 'seller',
  isAlwaysOpen: true,
  run: async (ctx) => {
    await takeMoneyBack(ctx)
    return ok(await getPlan(ctx, ctx.actor.userId))
  },
})
