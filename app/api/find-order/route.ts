import { askForOrderLinks } from '@/lib/http/ask-for-order-links'
import { json } from '@/lib/http/input'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { orderTexts } from '@/lib/orders/messages'
import { findOrderSchema } from '@/lib/orders/schema'

export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: json(findOrderSchema),
  run: async (ctx, input) => {
    await askForOrderLinks(ctx, input)
    return ok({ message: orderTexts.linksSent })
  },
})
