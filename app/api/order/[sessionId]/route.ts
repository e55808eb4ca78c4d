import { z } from 'zod/mini'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { toOrderSummaryView } from '@/lib/orders/view'

export const GET = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ sessionId: z.string() }),
  run: async (ctx, _input, { sessionId }) => ok(toOrderSummaryView(await getPaidOrder(ctx, sessionId))),
})
