import 'server-only'
import { z } from 'zod'
import { shippingParams } from '../address'
import { recurringParams } from '../billing/catalog'
import { bool, clearableText, country, currency, email, expandable, integer, metadata } from '../params'
import { noStatementDescriptor, text, webUrl } from '../params'
import { pageParams } from '../list'

const taxCode = () => z.string().regex(/^txcd_\d{8}$/, 'must be a tax code like txcd_99999999.')

const lineItem = z.strictObject({
  price: text(255).optional(),
  price_data: z
    .strictObject({
      currency: currency(),
      unit_amount: integer(),
      product_data: z.strictObject({
        name: text(250),
        description: text(5_000).optional(),
        images: z.array(webUrl()).max(8).optional(),
        metadata: metadata(),
        tax_code: taxCode().optional(),
      }),
      tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
      recurring: recurringParams.optional(),
    })
    .optional(),
  quantity: integer().optional(),
  metadata: metadata(),
})

const paymentIntentData = z.strictObject({
  description: text(1_000).optional(),
  metadata: metadata(),
  receipt_email: email().optional(),
  shipping: shippingParams.optional(),
  statement_descriptor: noStatementDescriptor(),
  statement_descriptor_suffix: text(22).optional(),
  transfer_group: text(255).optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
})

const message = z.strictObject({ message: text(1_200) }).optional()

/** The parameters of a new session. Parameters that only change how the page looks are accepted and stored. */
export const createSessionParams = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  ui_mode: z.enum(['hosted_page']).optional(),
  line_items: z.array(lineItem).min(1).max(100),
  success_url: webUrl(),
  cancel_url: webUrl().optional(),
  client_reference_id: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'must be letters, digits, dashes or underscores, at most 200.')
    .optional(),
  currency: currency().optional(),
  customer: text(255).optional(),
  customer_email: email().optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  expires_at: integer().optional(),
  metadata: metadata(),
  payment_intent_data: paymentIntentData.optional(),
  subscription_data: z
    .strictObject({
      description: text(500).optional(),
      metadata: metadata(),
      billing_mode: z.strictObject({ type: z.enum(['flexible']) }).optional(),
    })
    .optional(),
  // This parameter replaces `payment_method_types`, which Stripe refuses since API version 2026-09-30.
  allowed_payment_method_types: z.array(z.enum(['card'])).optional(),
  shipping_address_collection: z
    .strictObject({
      allowed_countries: z.array(country()).min(1).max(250),
    })
    .optional(),
  phone_number_collection: z.strictObject({ enabled: bool() }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  custom_text: z
    .strictObject({
      after_submit: message,
      shipping_address: message,
      submit: message,
      terms_of_service_acceptance: message,
    })
    .optional(),
  // Prices are shown in the currency of the session only, because the stand-in converts no amounts.
  adaptive_pricing: z.strictObject({ enabled: z.literal('false') }).optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
  // Without a liability, the platform owes the tax.
  automatic_tax: z.strictObject({ enabled: bool() }).optional(),
  locale: text(10).optional(),
  allow_promotion_codes: bool().optional(),
  expand: expandable(),
})

export type CreateSessionInput = z.output<typeof createSessionParams>

export const updateSessionParams = z.strictObject({ metadata: metadata(), expand: expandable() })

export const listSessionParams = z.strictObject({
  ...pageParams,
  customer: text(255).optional(),
  customer_details: z.strictObject({ email: email() }).optional(),
  payment_intent: text(255).optional(),
  subscription: text(255).optional(),
  status: z.enum(['complete', 'expired', 'open']).optional(),
})

export const lineItemPageParams = z.strictObject({
  limit: integer().optional(),
  starting_after: clearableText(255).optional(),
  expand: expandable(),
})
