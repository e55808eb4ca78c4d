import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/plain-forms/answer-order-form'
import { route } from '@/lib/http/route'
import { orderTokenSchema } from '@/lib/orders/field-schema'
import { showKeys } from '@/lib/orders/show-keys'

// Handles the button "Show my key", with or without JavaScript. It redirects to the order page, which shows the keys
// from then on. The order's token is the only permission needed.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  run: (ctx, _input, { token }, request) =>
    answerOrderForm({ token, request }, async () => {
      await showKeys(ctx, { token, userAgent: request.headers.get('user-agent') ?? '' })
      return `/o/${token}#keys`
    }),
})
