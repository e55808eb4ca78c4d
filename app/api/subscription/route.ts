import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { getPlan } from '@/lib/subscriptions/queries'

export const GET = route({
  who: 'seller',
  run: async (ctx) => ok(await getPlan(ctx, ctx.actor.userId)),
})
