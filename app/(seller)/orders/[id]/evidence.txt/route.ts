import { z } from 'zod/mini'
import { download } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { orderIdSchema } from '@/lib/orders/field-schema'

// Returns the evidence for a dispute as a text file, for the seller of the order and for administrators.
export const GET = route({
  who: 'seller',
  isAlwaysOpen: true,
  params: z.object({ id: orderIdSchema }),
  run: async (ctx, _input, { id }) => {
    const { text, reference } = await getEvidence(ctx, id)
    return download(text, `evidence-${reference}.txt`, 'text/plain; charset=utf-8')
  },
})
