import { z } from 'zod/mini'
import { answerOrderForm } from '@/lib/http/plain-forms/answer-order-form'
import { urlencoded } from '@/lib/http/input'
import { route } from '@/lib/http/route'
import { changeAddress } from '@/lib/shipping/change-address'
import { shippingError } from '@/lib/shipping/messages'
import { addressDetailsSchema, typedAddressSchema } from '@/lib/orders/address-schema'
import { orderTokenSchema } from '@/lib/orders/field-schema'

// Handles the form that changes the delivery address, with or without JavaScript. The order's token is the only
// permission needed.
export const POST = route({
  who: 'anyone',
  isAlwaysOpen: true,
  params: z.object({ token: orderTokenSchema }),
  input: urlencoded(typedAddressSchema),
  run: (ctx, typed, { token }, request) =>
    answerOrderForm({ token, request }, async () => {
      const address = addressDetailsSchema.safeParse(typed)
      if (!address.success) throw shippingError('ADDRESS_INVALID')
      const isChanged = await changeAddress(ctx, { token, ...address.data })
      return `/o/${token}?sent=${isChanged ? 'address' : 'same-address'}`
    }),
})
