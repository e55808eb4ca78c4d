import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/plain-forms/answer-order-form'
import { urlencoded } from '@/lib/http/input'
import { route } from '@/lib/http/route'
import { answerDelay } from '@/lib/shipping/answer-delay'
import { orderTokenSchema } from '@/lib/orders/field-schema'
import { answerDelaySchema } from '@/lib/shipping/schema'

// Handles the form in which the buyer of a late order chooses to wait or to get a refund, with or without JavaScript.
// The order's token is the only permission needed.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  input: urlencoded(z.omit(answerDelaySchema, { token: true })),
  run: (ctx, { answer, day }, { token }, request) =>
    answerOrderForm({ token, request }, async () => {
      await answerDelay(ctx, { token, answer, day })
      return `/o/${token}?sent=${answer === 'wait' ? 'wait' : 'money'}`
    }),
})
