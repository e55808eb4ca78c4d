import { z } from 'zod/mini'
import { parseInput, urlencoded } from '@/lib/http/input'
import { answerOrderForm } from '@/lib/http/plain-forms/answer-order-form'
import { route } from '@/lib/http/route'
import { orderTexts } from '@/lib/orders/messages'
import { requestRefund } from '@/lib/refunds/request-refund'
import { orderTokenSchema } from '@/lib/orders/field-schema'
import { buyerMessageSchema, MAX_MESSAGE } from '@/lib/orders/schema'
import { writeToSeller } from '@/lib/orders/write-to-seller'

// Handles the two forms of the order page that write to the seller, a message and a refund request, with or without
// JavaScript. The order's token is the only permission needed.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  input: urlencoded(z.strictObject({ about: z.enum(['refund', 'message']), text: z.string() })),
  written: ({ about, text }, { token }, refusal) =>
    // Nobody would read a message to a seller whose account is closed, so the refusal page does not offer to send it.
    refusal.code === 'SELLER_GONE'
      ? null
      : {
          name: 'text',
          text,
          label: refusal.status === 409 ? orderTexts.writeInstead : orderTexts.yourMessage,
          maxLength: MAX_MESSAGE,
          // When a refund cannot be requested, the refusal page offers to send the same text as a message.
          hiddenFields: { about: refusal.status === 409 ? 'message' : about },
          page: `/o/${token}`,
        },
  run: (ctx, { about, text }, { token }, request) =>
    answerOrderForm({ token, request, text }, async () => {
      const message = parseInput(buyerMessageSchema, { token, text })
      await (about === 'refund' ? requestRefund(ctx, message) : writeToSeller(ctx, message))
      return `/o/${token}?sent=${about}`
    }),
})
