import { z } from 'zod/mini'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { ORDER_ID } from '@/lib/kernel/id'
import { maxCharacters, maxItems } from '@/lib/kernel/max-characters'
import { parsePriceCents } from '@/lib/kernel/money'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { orderTexts } from './messages'
import { MAX_UNITS_PER_ORDER } from './rules'
import { badCountry } from './country-messages'

export const orderIdSchema = z.string().check(z.regex(ORDER_ID))

/** The integer id of a row. */
const databaseId = z.int().check(z.positive(), z.maximum(MAX_DATABASE_INT))
/** The number of changes of an address, by which a page says what it has shown. */
const version = z.int().check(z.minimum(0), z.maximum(MAX_DATABASE_INT))

/** The integer id of a drop. No drop has a larger one than the database allows, so a larger one is an unknown drop. */
const dropNumber = z.pipe(
  z.int().check(z.positive()),
  z.transform((id: number) => Math.min(id, MAX_DATABASE_INT)),
)
const dropId = z.union([dropNumber, z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number))])

const quantity = z._default(
  z
    .int(orderTexts.badQuantity)
    .check(z.minimum(1, orderTexts.badQuantity), z.maximum(MAX_UNITS_PER_ORDER, orderTexts.badQuantity)),
  1,
)

/** The proof of work that an earlier response required (docs/contract.md#proof-of-work). */
const work = z.optional(z.string().check(z.regex(/^[\w-]{1,600}\.[0-9a-f]{40}(?:\.\d{1,9})?$/)))

/**
 * The chosen value of each option of a drop, by the option's name. Whether the drop has these options and values is
 * checked later, against its row.
 */
const selectedVariants = z.record(
  z.string().check(...maxCharacters(100, orderTexts.badVariants)),
  z.string(orderTexts.badVariants).check(...maxCharacters(100, orderTexts.badVariants)),
  orderTexts.badVariants,
)
/**
 * A discount code as the buyer wrote it. Whether the drop has this code is checked later, against the drop's row, so
 * that the error can have its own text.
 */
const code = z.optional(z.string(orderTexts.badCode).check(...maxCharacters(100, orderTexts.badCode)))
/** The token of a follower's link. Whether it may buy is checked later, so that each reason can have its own text. */
const early = z.optional(z.string(orderTexts.badEarly).check(...maxCharacters(200, orderTexts.badEarly)))
/** The country that the order is shipped to. Whether the drop is shipped there is checked against the drop's row. */
const country = z.optional(z.string(badCountry).check(...maxCharacters(100, badCountry)))
export type SelectedVariants = z.infer<typeof selectedVariants>

/**
 * The body of POST /api/checkout/create-session (docs/contract.md#calls-about-buying). productType is accepted but
 * ignored, because the drop's row decides (docs/product.md#prices-and-quantities).
 */
export const createSessionSchema = z.strictObject({
  dropId,
  productType: z.optional(z.string().check(...maxCharacters(20))),
  quantity,
  selectedVariants: z.optional(selectedVariants),
  code,
  early,
  country,
  work,
})

const typedQuantity = z.pipe(z.string().check(z.regex(/^(?:[1-9]|10)$/, orderTexts.badQuantity)), z.transform(Number))

/** The form behind the buy button, as a browser without JavaScript posts it. */
export const buyFormSchema = z.object({
  quantity: z._default(typedQuantity, 1),
  /**
   * The quantity chosen in the bar at the bottom of a phone screen. Both fields for the quantity belong to one form.
   */
  barQuantity: z.optional(typedQuantity),
  /** The value of the drop's option. */
  option: z.optional(z.string().check(...maxCharacters(100, orderTexts.badVariants))),
  code,
  early,
  country,
  work,
})

/** The body of POST /api/create-payment-intent (docs/contract.md#calls-about-buying, docs/product.md#options). */
export const createPaymentIntentSchema = z.strictObject({
  dropId: dropNumber,
  selectedVariants: z.optional(selectedVariants),
  code,
  early,
  country,
  work,
})

/** The id of a tap on a wallet's button. The browser creates it, so that a call that cancels can name its own tap. */
const tapId = z.optional(z.string().check(z.regex(/^tap_[A-Za-z0-9]{22}$/)))

/** The body of POST /api/checkout/wallet (docs/contract.md#calls-about-buying, docs/product.md#wallets). */
export const startWalletSchema = z.strictObject({
  dropId: dropNumber,
  tapId,
  quantity,
  selectedVariants: z.optional(selectedVariants),
  code,
  early,
  country,
  work,
})

const paymentIntentId = z.string().check(z.regex(/^pi_[A-Za-z0-9_]{8,200}$/))

/**
 * The body of POST /api/checkout/wallet/cancel. The buyer's cookie decides whose checkout is closed, and `tapId` which
 * tap. `ageMs` says how long ago the tap was. A browser sends it when it does not know the payment.
 */
export const cancelWalletSchema = z.strictObject({
  dropId: dropNumber,
  tapId,
  paymentIntentId: z.optional(paymentIntentId),
  ageMs: z.optional(z.int().check(z.nonnegative(), z.maximum(MAX_DATABASE_INT))),
})
export type CancelWalletInput = z.infer<typeof cancelWalletSchema>

/**
 * Reads the `variants` parameter of /checkout/{dropId}, which holds the selected variants as JSON.
 * @returns an empty object when the parameter is missing or empty; null when it is something else
 */
export function readVariants(value: string | string[] | undefined): SelectedVariants | null {
  if (value === undefined || value === '') return {}
  try {
    return selectedVariants.safeParse(JSON.parse(String(value))).data ?? null
  } catch {
    return null
  }
}

const line = (text: string) =>
  z.string().check(z.trim(), z.minLength(1, text), ...maxCharacters(200, 'This is too long.'))
const optionalLine = z.optional(z.string().check(z.trim(), ...maxCharacters(200, 'This is too long.')))
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

/** What a buyer types into the form for an order that is shipped (docs/product.md#what-the-buyer-is-asked). */
export const parcelDetailsSchema = z.object({
  email,
  name: line('Enter the name of the person who gets the parcel.'),
  line1: line('Enter the street and house number.'),
  line2: optionalLine,
  city: line('Enter the city.'),
  state: optionalLine,
  postalCode: line('Enter the postal code.'),
  country: z.enum(SHIPPING_COUNTRIES, 'Choose the country.'),
  phone: z.optional(
    z.string().check(z.trim(), z.regex(/^(\+?[\d\s().-]{5,30})?$/, 'Enter a phone number like +1 555 555 0100.')),
  ),
})

/** A missing detail counts as empty, so that it is refused with the text of its field. */
const given = z._default(z.string().check(...maxCharacters(1_000)), '')

/**
 * The body of POST /api/checkout/wallet/check: what a wallet knows about its buyer, and the amount that it showed.
 * Whether the details are enough depends on the order, so checkWalletPayment() checks them against parcelDetailsSchema
 * or buyerDetailsSchema.
 */
export const checkWalletSchema = z.strictObject({
  paymentIntentId,
  amountCents: z.int().check(z.positive()),
  details: z.strictObject({
    email: given,
    name: given,
    line1: given,
    line2: given,
    city: given,
    state: given,
    postalCode: given,
    country: given,
    phone: given,
  }),
})
export type CheckWalletInput = z.infer<typeof checkWalletSchema>

/**
 * The formats of Stripe's ids and of order tokens in links. They are checked so that no other string reaches a query.
 */
export const sessionIdSchema = z.string().check(z.regex(/^(?:cs|pi)_[A-Za-z0-9_]{8,200}$/))
export const orderTokenSchema = z.string().check(z.regex(/^[A-Za-z0-9]{43}$/))

export const trackingText = z.string().check(z.trim(), ...maxCharacters(80), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))

export const markShippedSchema = z.strictObject({
  orderId: orderIdSchema,
  carrier: trackingText,
  trackingNumber: trackingText,
  /** The version of the address that the seller saw. Without it, the address is not compared. */
  addressVersion: z.optional(version),
})
/**
 * The browser creates the id when the refund dialog opens, so that pressing the button twice makes only one refund
 * (docs/product.md#refunds).
 */
export const refundOrderSchema = z.strictObject({
  orderId: orderIdSchema,
  refundId: z.string().check(z.regex(/^ref_[A-Za-z0-9]{22}$/)),
  amountCents: z.int(orderTexts.badRefund).check(z.minimum(1, orderTexts.badRefund)),
  restockUnits: z.int().check(z.minimum(0), z.maximum(MAX_UNITS_PER_ORDER)),
  /** Whether the refund returns the surcharge for shipping, and no unit. */
  isForShipping: z.optional(z.boolean()),
})
export type RefundOrderInput = z.infer<typeof refundOrderSchema>

/** The refund form: an amount as the seller types it, and how many units go back on sale. */
export const refundFormSchema = z.strictObject({
  amount: z.pipe(
    z.string().check(z.refine((typed) => Boolean(parsePriceCents(typed)), orderTexts.badRefund)),
    z.transform((typed: string) => parsePriceCents(typed) ?? 0),
  ),
  restockUnits: refundOrderSchema.shape.restockUnits,
  isForShipping: z.boolean(),
})

/** The request's id is included, so that an outdated page cannot answer a newer request. */
export const declineRefundSchema = z.strictObject({
  orderId: orderIdSchema,
  requestId: z.string().check(z.regex(/^ref_[A-Za-z0-9]{22}$/)),
  answer: z
    .string()
    .check(z.trim(), z.minLength(1, orderTexts.emptyAnswer), ...maxCharacters(2_000, orderTexts.longMessage)),
})
export type DeclineRefundInput = z.infer<typeof declineRefundSchema>

/** The key of an order that its seller marks as void. */
export const voidKeySchema = z.strictObject({ orderId: orderIdSchema, keyId: databaseId })

export const completeOrderSchema = z.strictObject({ orderId: orderIdSchema })

/** The longest message, in characters. A line break counts as one character. */
export const MAX_MESSAGE = 2_000

const message = z
  .string()
  .check(z.trim(), z.minLength(1, orderTexts.emptyMessage), ...maxCharacters(MAX_MESSAGE, orderTexts.longMessage))

/** A message that a buyer sends from the order page. The token in it proves that the sender may see the order. */
export const buyerMessageSchema = z.strictObject({ token: orderTokenSchema, text: message })
export type BuyerMessageInput = z.infer<typeof buyerMessageSchema>

/** The form in which a buyer changes the address of an order. The address is checked as in the embedded checkout. */
export const addressDetailsSchema = z.omit(parcelDetailsSchema, { email: true })
export const changeAddressSchema = z.strictObject({ token: orderTokenSchema, ...addressDetailsSchema.shape })
export type ChangeAddressInput = z.infer<typeof changeAddressSchema>

/** The same form as a browser sends it, before the address is checked. */
export const typedAddressSchema = z.strictObject({
  ...{ name: given, line1: given, line2: given, city: given, state: given },
  ...{ postalCode: given, country: given, phone: given },
})

/** The packing slips that were printed, each with the version of the address on it. */
export const noteSlipsSchema = z.strictObject({
  slips: z.array(z.strictObject({ id: orderIdSchema, version })).check(maxItems(100)),
})
export type NoteSlipsInput = z.infer<typeof noteSlipsSchema>

/** A day such as "2026-11-30" that exists. */
const day = z.iso.date(orderTexts.badDay)

/** The buyer's answer to the question about a delay, with the new day that the buyer saw. */
export const answerDelaySchema = z.strictObject({ token: orderTokenSchema, answer: z.enum(['wait', 'refund']), day })
export type AnswerDelayInput = z.infer<typeof answerDelaySchema>

export const proposeShipDaySchema = z.strictObject({ orderId: orderIdSchema, day })
export type ProposeShipDayInput = z.infer<typeof proposeShipDaySchema>

export const findOrderSchema = z.strictObject({
  email: z.string().check(z.trim(), z.toLowerCase(), ...maxCharacters(254), z.email(orderTexts.badEmail)),
})
export type FindOrderInput = z.infer<typeof findOrderSchema>

export type MarkShippedInput = z.infer<typeof markShippedSchema>

const MAX_QUERY = 120

/** The filters of a seller's orders, read from the query string. Invalid values are ignored. */
export const sellerOrderFilterSchema = z.object({
  q: z.catch(z.optional(z.string().check(z.trim(), ...maxCharacters(MAX_QUERY))), undefined),
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
  before: z.catch(z.optional(z.string().check(...maxCharacters(100))), undefined),
})
export type SellerOrderFilter = z.infer<typeof sellerOrderFilterSchema>

/** Whether any filter is set. */
export function isFiltered({ q, show, drop, days }: SellerOrderFilter): boolean {
  return Boolean(q) || show !== 'all' || drop !== undefined || days !== undefined
}

/** Returns the path with the query string of a filter. */
export function filterAddress(path: string, { q, show, drop, days }: SellerOrderFilter, before?: string): string {
  const wanted = { q, show: show === 'all' ? undefined : show, drop, days, before }
  const given = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value ? [[name, String(value)]] : [],
  )
  return given.length > 0 ? `${path}?${new URLSearchParams(given).toString()}` : path
}

/**
 * Which packing slips to print, read from the query string: those of one order or of all orders to ship, and the paper
 * size.
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
    ...maxCharacters(MAX_TRACKING_CHARACTERS, orderTexts.longFile),
  ),
})

/** The seller's own statement in the evidence. */
export const answerDisputeSchema = z.strictObject({
  orderId: orderIdSchema,
  statement: z.string().check(z.trim(), ...maxCharacters(5_000, orderTexts.longStatement)),
})
export type AnswerDisputeInput = z.infer<typeof answerDisputeSchema>

/** The form of the page on which a person from the waitlist claims a unit. */
export const claimFormSchema = z.object({ country })
