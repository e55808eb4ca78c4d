import { listSellerDrops } from '@/lib/drops/queries'
import { toSellerDropView } from '@/lib/drops/view'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'seller',
  run: async (ctx) => ok((await listSellerDrops(ctx, ctx.actor.userId)).map(toSellerDropView)),
})
