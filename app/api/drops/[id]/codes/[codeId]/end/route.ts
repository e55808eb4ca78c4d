import { codeParams } from '@/lib/drops/code-schema'
import { toDiscountCodeView } from '@/lib/drops/code-view'
import { endCode } from '@/lib/drops/end-code'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'seller',
  params: codeParams,
  run: async (ctx, _input, { id, codeId }) => ok(toDiscountCodeView(await endCode(ctx, { dropId: id, codeId }))),
})
