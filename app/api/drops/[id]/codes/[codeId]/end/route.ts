import { codeParams } from '@/lib/drops/codes/code-schema'
import { toDiscountCodeView } from '@/lib/drops/codes/code-view'
import { endCode } from '@/lib/drops/codes/end-code'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const POST = route({
  who: 'seller',
  params: codeParams,
  run: async (ctx, _input, { id, codeId }) => ok(toDiscountCodeView(await endCode(ctx, { dropId: id, codeId }))),
})
