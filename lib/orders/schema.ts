import { z } from 'zod/mini'
import { parsePriceCents } from '@/lib/kernel/money'
import { orderTexts } from './messages'
import { MAX_UNITS_PER_ORDER, SHIPPING_COUNTRIES } from './rules'

export const orderIdSchema = z.string().check(z.regex(/^ord_[A-Za-z0-9]{22}$/))

const dropId = z.pipe(
  z.union([z.int().check(z.positive()), z.string().check(z.regex(/^\d{1,9}$/))]),
  z.transform(Number),
)

const quantity = z._default(
  z
    .int(orderTexts.badQuantity)
    .check(z.minimum(1, orderTexts.badQuantity), z.maximum(MAX_UNITS_PER_ORDER, orderTexts.badQuantity)),
  1,
)

/** SPEC §7, POST /api/checkout/create-session. productType is accepted and not believed (DECISIONS 6). */
export const createSessionSchema = z.strictObject({
  dropId,
  productType: z.optional(z.string().check(z.maxLength(20))),
  quantity,
})

/** The buy button's own form, as a browser without JavaScript posts it. */
export const buyFormSchema = z.object({
  quantity: z._default(
    z.pipe(z.string().check(z.regex(/^(?:[1-9]|10)$/, orderTexts.badQuantity)), z.transform(Number)),
    1,
  ),
})

/** SPEC §7, POST /api/create-payment-intent. No drop has options yet, so every choice is an unknown one (DECISIONS 7). */
export const createPaymentIntentSchema = z.strictObject({
  dropId: z.int().check(z.positive()),
  selectedVariants: z.optional(z.strictObject({}, orderTexts.unknownVariants)),
})

/** The `variants` parameter of /checkout/{dropId}; null when it names a choice, which no drop has yet. */
export function readVariants(value: string | string[] | undefined): Record<string, never> | null {
  if (value === undefined || value === '') return {}
  try {
    const parsed = z.strictObject({}).safeParse(JSON.parse(String(value)))
    return parsed.success ? {} : null
  } catch {
    return null
  }
}

const line = (text: string) => z.string().check(z.trim(), z.minLength(1, text), z.maxLength(200, 'This is too long.'))
const optionalLine = z.optional(z.string().check(z.trim(), z.maxLength(200, 'This is too long.')))
const email = z.string().check(z.trim(), z.email('Enter an email address like name@example.com.'))

/** What a buyer types into the embedded form. */
export const buyerDetailsSchema = z.object({
  email,
  name: optionalLine,
  line1: optionalLine,
  line2: optionalLine,
  city: optionalLine,
  state: optionalLine,
  postalCode: optionalLine,
  country: optionalLine,
  phone: optionalLine,
})
export type BuyerDetails = z.infer<typeof buyerDetailsSchema>

/** The same when something is sent (DECISIONS 13). */
export const parcelDetailsSchema = z.object({
  email,
  name: line('Enter the name of the person who gets the parcel.'),
  line1: line('Enter the street and house number.'),
  line2: optionalLine,
  city: line('Enter the city.'),
  state: optionalLine,
  postalCode: line('Enter the postal code.'),
  country: z.enum(SHIPPING_COUNTRIES, 'Choose the country.'),
  phone: z.string().check(z.trim(), z.regex(/^\+?[\d\s().-]{5,30}$/, 'Enter a phone number like +1 555 555 0100.')),
})

/** Ids in links: what Stripe's and ours look like, so that nothing else reaches a query. */
export const sessionIdSchema = z.string().check(z.regex(/^(?:cs|pi)_[A-Za-z0-9_]{8,200}$/))
export const orderTokenSchema = z.string().check(z.regex(/^[A-Za-z0-9]{43}$/))

export const shippingText = z.string().check(z.trim(), z.maxLength(80), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))

export const markShippedSchema = z.strictObject({
  orderId: orderIdSchema,
  carrier: shippingText,
  trackingNumber: shippingText,
})
/** The id is made where the button is pressed, so that pressing it twice is one refund (DECISIONS 14). */
export const refundOrderSchema = z.strictObject({
  orderId: orderIdSchema,
  refundId: z.string().check(z.regex(/^ref_[A-Za-z0-9]{22}$/)),
  amountCents: z.int(orderTexts.badRefund).check(z.minimum(1, orderTexts.badRefund)),
  restockUnits: z.int().check(z.minimum(0), z.maximum(MAX_UNITS_PER_ORDER)),
})
export type RefundOrderInput = z.infer<typeof refundOrderSchema>

/** The refund form: an amount as it is typed, and how many units go back on sale. */
export const refundFormSchema = z.strictObject({
  amount: z.pipe(
    z.string().check(z.refine((typed) => Boolean(parsePriceCents(typed)), orderTexts.badRefund)),
    z.transform((typed: string) => parsePriceCents(typed) ?? 0),
  ),
  restockUnits: refundOrderSchema.shape.restockUnits,
})

/** The request is named, so that an old page does not answer a newer one. */
export const declineRefundSchema = z.strictObject({
  orderId: orderIdSchema,
  requestId: z.string().check(z.regex(/^ref_[A-Za-z0-9]{22}$/)),
  answer: z
    .string()
    .check(z.trim(), z.minLength(1, orderTexts.emptyAnswer), z.maxLength(2_000, orderTexts.longMessage)),
})
export type DeclineRefundInput = z.infer<typeof declineRefundSchema>

export const completeOrderSchema = z.strictObject({ orderId: orderIdSchema })

/** In characters; a line break is one of them. */
export const MAX_MESSAGE = 2_000

const message = z
  .string()
  .check(z.trim(), z.minLength(1, orderTexts.emptyMessage), z.maxLength(MAX_MESSAGE, orderTexts.longMessage))

/** What a buyer sends from the order page; the token is the permission. */
export const buyerMessageSchema = z.strictObject({ token: orderTokenSchema, text: message })
export type BuyerMessageInput = z.infer<typeof buyerMessageSchema>

export const findOrderSchema = z.strictObject({
  email: z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email(orderTexts.badEmail)),
})
export type FindOrderInput = z.infer<typeof findOrderSchema>

export type MarkShippedInput = z.infer<typeof markShippedSchema>

const MAX_QUERY = 120

/** The filters of a seller's orders, from an address: whatever is wrong in them is as if it were not there. */
export const sellerOrderFilterSchema = z.object({
  q: z.catch(z.optional(z.string().check(z.trim(), z.maxLength(MAX_QUERY))), undefined),
  show: z.catch(z.enum(['all', 'ship', 'shipped', 'delivered', 'asked', 'refunded', 'disputed']), 'all'),
  drop: z.catch(
    z.optional(
      z.pipe(
        z.string().check(z.regex(/^[1-9]\d{0,8}$/)),
        z.transform((text: string) => Number(text)),
      ),
    ),
    undefined,
  ),
  days: z.catch(z.optional(z.pipe(z.enum(['7', '30', '90', '365']), z.transform(Number))), undefined),
  before: z.catch(z.optional(z.string().check(z.maxLength(100))), undefined),
})
export type SellerOrderFilter = z.infer<typeof sellerOrderFilterSchema>

/** Whether anything narrows the list. */
export function isFiltered({ q, show, drop, days }: SellerOrderFilter): boolean {
  return Boolean(q) || show !== 'all' || drop !== undefined || days !== undefined
}

/** An address that shows what a filter says. */
export function filterAddress(path: string, { q, show, drop, days }: SellerOrderFilter, before?: string): string {
  const wanted = { q, show: show === 'all' ? undefined : show, drop, days, before }
  const given = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value ? [[name, String(value)]] : [],
  )
  return given.length > 0 ? `${path}?${new URLSearchParams(given).toString()}` : path
}

/** Which slips are printed, from an address: of one order or of all that are to ship, on which paper. */
export const slipSchema = z.object({
  order: z.catch(z.optional(orderIdSchema), undefined),
  size: z.catch(z.enum(['a4', 'label']), 'a4'),
})

/** Of a file with tracking numbers: 5,000 lines of our own orders file. next.config.js lets that much through. */
const MAX_TRACKING_CHARACTERS = 2_000_000

export const trackingFileSchema = z.strictObject({
  csv: z.string().check(
    z.refine((csv) => csv.trim() !== '', orderTexts.emptyFile),
    z.maxLength(MAX_TRACKING_CHARACTERS, orderTexts.longFile),
  ),
})

/** What a seller adds to the evidence in their own words. */
export const answerDisputeSchema = z.strictObject({
  orderId: orderIdSchema,
  statement: z.string().check(z.trim(), z.maxLength(5_000, orderTexts.longStatement)),
})
export type AnswerDisputeInput = z.infer<typeof answerDisputeSchema>
