import { askForOrderLinks } from '@/lib/http/ask-for-order-links'
import { urlencoded } from '@/lib/http/input'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { findOrderSchema } from '@/lib/orders/schema'

// Receives the form of "Find my order" from browsers without JavaScript.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  input: urlencoded(findOrderSchema),
  run: async (ctx, input) => {
    await askForOrderLinks(ctx, input)
    return seeOther('/find-order?sent=1')
  },
})
