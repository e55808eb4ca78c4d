import { getUser } from '@/lib/accounts/queries'
import { toUserView } from '@/lib/accounts/view'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'seller',
  run: async (ctx) => ok(toUserView(await getUser(ctx.db, ctx.actor.userId), ctx.clock.now())),
})
