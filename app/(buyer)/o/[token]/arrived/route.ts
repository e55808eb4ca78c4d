import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/plain-forms/answer-order-form'
import { route } from '@/lib/http/route'
import { confirmArrival } from '@/lib/shipping/confirm-arrival'
import { orderTokenSchema } from '@/lib/orders/field-schema'

// Handles the buttons "My order arrived" and "Mark as complete", with or without JavaScript. The order's token is the
// only permission needed.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: (ctx, _input, { token }, request) =>
    answerOrderForm({ token, request }, async () => {
      await confirmArrival(ctx, { token })
      return `/o/${token}?sent=arrived`
    }),
})
