import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { clearableText, text } from './params'

export const addressParams = z.strictObject({
  city: clearableText(500).optional(),
  country: clearableText(2).optional(),
  line1: clearableText(500).optional(),
  line2: clearableText(500).optional(),
  postal_code: clearableText(50).optional(),
  state: clearableText(500).optional(),
})

export const shippingParams = z.strictObject({
  address: addressParams,
  name: text(500),
  carrier: clearableText(100).optional(),
  phone: clearableText(50).optional(),
  tracking_number: clearableText(500).optional(),
})

/** Builds an address with all its fields, as Stripe shows it. */
export function toStripeAddress(input: z.output<typeof addressParams>): Stripe.Address {
  return {
    city: input.city ?? null,
    country: input.country ?? null,
    line1: input.line1 ?? null,
    line2: input.line2 ?? null,
    postal_code: input.postal_code ?? null,
    state: input.state ?? null,
  }
}

/** Builds a shipping address with all its fields, as a payment intent or a charge shows it. */
export function toShipping(input: z.output<typeof shippingParams>): Stripe.PaymentIntent.Shipping {
  return {
    address: toStripeAddress(input.address),
    carrier: input.carrier ?? null,
    name: input.name,
    phone: input.phone ?? null,
    tracking_number: input.tracking_number ?? null,
  }
}
