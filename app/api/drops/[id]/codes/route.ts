import { createCodeSchema } from '@/lib/drops/codes/code-schema'
import { listCodes } from '@/lib/drops/codes/code-queries'
import { toDiscountCodeView } from '@/lib/drops/codes/code-view'
import { createCode } from '@/lib/drops/codes/create-code'
import { getSellerDrop } from '@/lib/drops/queries'
import { dropIdParams } from '@/lib/drops/schema'
import { json } from '@/lib/http/input'
import { created, ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({
  who: 'seller',
  params: dropIdParams,
  run: async (ctx, _input, { id }) => {
    const drop = await getSellerDrop(ctx, id, ctx.actor.userId)
    return ok((await listCodes(ctx, drop.id)).map(toDiscountCodeView))
  },
})

export const POST = route({
  who: 'activeSeller',
  params: dropIdParams,
  input: json(createCodeSchema),
  run: async (ctx, input, { id }) => created(toDiscountCodeView(await createCode(ctx, { ...input, dropId: id }))),
})
