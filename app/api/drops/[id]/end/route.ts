import { endDrop } from '@/lib/drops/end-drop'
import { dropIdParams } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'seller',
  params: dropIdParams,
  run: async (ctx, _input, { id }) => ok(toSellerDropView(await endDrop(ctx, { dropId: id }))),
})
