import { z } from 'zod/mini'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { parsePriceCents } from '@/lib/kernel/money'
import { orderTexts } from './messages'
import { MAX_UNITS_PER_ORDER } from './rules'

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

/** The answer to work that was asked for (docs/contract.md#proof-of-work). */
const work = z.optional(z.string().check(z.regex(/^[\w-]{1,600}\.[0-9a-f]{40}(?:\.\d{1,9})?$/)))

/** The chosen value of each option of a drop, by the option's name. Whether the drop has them is decided with its row. */
const selectedVariants = z.record(
  z.string().check(z.maxLength(100, orderTexts.badVariants)),
  z.string(orderTexts.badVariants).check(z.maxLength(100, orderTexts.badVariants)),
  orderTexts.badVariants,
)
/** A discount code as a buyer wrote it. Whether the drop has it is decided with the drop's row, with a text of its own. */
const code = z.optional(z.string(orderTexts.badCode).check(z.maxLength(100, orderTexts.badCode)))
export type SelectedVariants = z.infer<typeof selectedVariants>

/**
 * The body of POST /api/checkout/create-session (docs/contract.md#calls-about-buying). productType is accepted but
 * ignored; the drop's row decides (docs/product.md#prices-and-quantities).
 */
export const createSessionSchema = z.strictObject({
  dropId,
  productType: z.optional(z.string().check(z.maxLength(20))),
  quantity,
  selectedVariants: z.optional(selectedVariants),
  code,
  work,
})

const typedQuantity = z.pipe(z.string().check(z.regex(/^(?:[1-9]|10)$/, orderTexts.badQuantity)), z.transform(Number))

/** The form behind the buy button, as a browser without JavaScript posts it. */
export const buyFormSchema = z.object({
  quantity: z._default(typedQuantity, 1),
  /** The choice in the bar at the lower edge of a phone: both choices are part of one form. */
  barQuantity: z.optional(typedQuantity),
  /** The value of the drop's option. */
  option: z.optional(z.string().check(z.maxLength(100, orderTexts.badVariants))),
  code,
  work,
})

/** The body of POST /api/create-payment-intent (docs/contract.md#calls-about-buying, docs/product.md#options). */
export const createPaymentIntentSchema = z.strictObject({
  dropId: z.int().check(z.positive()),
  selectedVariants: z.optional(selectedVariants),
  code,
  work,
})

/** The `variants` parameter of /checkout/{dropId}: selected variants as JSON; null when it is something else. */
export function readVariants(value: string | string[] | undefined): SelectedVariants | null {
  if (value === undefined || value === '') return {}
  try {
    return selectedVariants.safeParse(JSON.parse(String(value))).data ?? null
  } catch {
    return null
  }
}

const line = (text: string) => z.string().check(z.trim(), z.minLength(1, text), z.maxLength(200, 'This is too long.'))
const optionalLine = z.optional(z.string().check(z.trim(), z.maxLength(200, 'This is too long.')))
const email = z.string().check(z.trim(), z.email('Enter an email address like name@example.com.'))

/** What a buyer types into the form of the embedded checkout. */
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

/** The same, for an order that is shipped (docs/product.md#what-the-buyer-is-asked). */
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

/** The formats of Stripe's ids and ours in links, so that nothing else reaches a query. */
export const sessionIdSchema = z.string().check(z.regex(/^(?:cs|pi)_[A-Za-z0-9_]{8,200}$/))
export const orderTokenSchema = z.string().check(z.regex(/^[A-Za-z0-9]{43}$/))

export const shippingText = z.string().check(z.trim(), z.maxLength(80), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))

export const markShippedSchema = z.strictObject({
  orderId: orderIdSchema,
  carrier: shippingText,
  trackingNumber: shippingText,
})
/**
 * The browser creates the id when the button is pressed, so that pressing it twice makes only one refund
 * (docs/product.md#refunds).
 */
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

/** The request's id is included, so that an outdated page cannot answer a newer request. */
export const declineRefundSchema = z.strictObject({
  orderId: orderIdSchema,
  requestId: z.string().check(z.regex(/^ref_[A-Za-z0-9]{22}$/)),
  answer: z
    .string()
    .check(z.trim(), z.minLength(1, orderTexts.emptyAnswer), z.maxLength(2_000, orderTexts.longMessage)),
})
export type DeclineRefundInput = z.infer<typeof declineRefundSchema>

export const completeOrderSchema = z.strictObject({ orderId: orderIdSchema })

/** In characters; a line break counts as one. */
export const MAX_MESSAGE = 2_000

const message = z
  .string()
  .check(z.trim(), z.minLength(1, orderTexts.emptyMessage), z.maxLength(MAX_MESSAGE, orderTexts.longMessage))

/** What a buyer sends from the order page; the token in it is the permission. */
export const buyerMessageSchema = z.strictObject({ token: orderTokenSchema, text: message })
export type BuyerMessageInput = z.infer<typeof buyerMessageSchema>

export const findOrderSchema = z.strictObject({
  email: z.string().check(z.trim(), z.toLowerCase(), z.maxLength(254), z.email(orderTexts.badEmail)),
})
export type FindOrderInput = z.infer<typeof findOrderSchema>

export type MarkShippedInput = z.infer<typeof markShippedSchema>

const MAX_QUERY = 120

/** The filters of a seller's orders, read from the query string. Invalid values are ignored. */
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

/** Whether any filter is set. */
export function isFiltered({ q, show, drop, days }: SellerOrderFilter): boolean {
  return Boolean(q) || show !== 'all' || drop !== undefined || days !== undefined
}

/** The query string for a filter. */
export function filterAddress(path: string, { q, show, drop, days }: SellerOrderFilter, before?: string): string {
  const wanted = { q, show: show === 'all' ? undefined : show, drop, days, before }
  const given = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value ? [[name, String(value)]] : [],
  )
  return given.length > 0 ? `${path}?${new URLSearchParams(given).toString()}` : path
}

/**
 * Which packing slips to print, read from the query string: of one order or of all orders to ship, and on which paper.
 */
export const slipSchema = z.object({
  order: z.catch(z.optional(orderIdSchema), undefined),
  size: z.catch(z.enum(['a4', 'label']), 'a4'),
})

/**
 * The size limit of a file with tracking numbers: 5,000 lines of our own orders export. next.config.js must allow at
 * least this much.
 */
const MAX_TRACKING_CHARACTERS = 2_000_000

export const trackingFileSchema = z.strictObject({
  csv: z.string().check(
    z.refine((csv) => csv.trim() !== '', orderTexts.emptyFile),
    z.maxLength(MAX_TRACKING_CHARACTERS, orderTexts.longFile),
  ),
})

/** The seller's own statement in the evidence. */
export const answerDisputeSchema = z.strictObject({
  orderId: orderIdSchema,
  statement: z.string().check(z.trim(), z.maxLength(5_000, orderTexts.longStatement)),
})
export type AnswerDisputeInput = z.infer<typeof answerDisputeSchema>
