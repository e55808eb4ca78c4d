import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { parsePriceCents } from '@/lib/kernel/money'
import {
  chosenCountry,
  dropNumber,
  orderIdSchema,
  orderTokenSchema,
  purchaseFields,
  quantity,
  selectedVariants,
} from './field-schema'
import { orderTexts, refundTexts, checkoutTexts } from './messages'
import { MAX_UNITS_PER_ORDER } from './rules'

const dropId = z.union([dropNumber, z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number))])

/**
 * The body of POST /api/checkout/create-session (docs/contract.md#calls-about-buying). productType is accepted but
 * ignored, because the drop's row decides (docs/product.md#prices-and-quantities).
 */
export const createSessionSchema = z.strictObject({
  dropId,
  productType: z.optional(z.string().check(...maxCharacters(20))),
  quantity,
  selectedVariants: z.optional(selectedVariants),
  ...purchaseFields,
})

const typedQuantity = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]|10)$/, checkoutTexts.badQuantity)),
  z.transform(Number),
)

/** The form behind the buy button, as a browser without JavaScript posts it. */
export const buyFormSchema = z.object({
  quantity: z._default(typedQuantity, 1),
  /**
   * The quantity chosen in the bar at the bottom of a phone screen. Both fields for the quantity belong to one form.
   */
  barQuantity: z.optional(typedQuantity),
  /** The value of the drop's option. */
  option: z.optional(z.string().check(...maxCharacters(100, checkoutTexts.badVariants))),
  ...purchaseFields,
})

/** The body of POST /api/create-payment-intent (docs/contract.md#calls-about-buying, docs/product.md#options). */
export const createPaymentIntentSchema = z.strictObject({
  dropId: dropNumber,
  selectedVariants: z.optional(selectedVariants),
  ...purchaseFields,
})

/** The form of the page on which a person from the waitlist claims a unit. */
export const claimFormSchema = z.object({ country: chosenCountry })

export type SelectedVariants = z.infer<typeof selectedVariants>

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

/**
 * The browser creates the id when the refund dialog opens, so that pressing the button twice makes only one refund
 * (docs/product.md#refunds).
 */
export const refundOrderSchema = z.strictObject({
  orderId: orderIdSchema,
  refundId: z.string().check(z.regex(/^ref_[A-Za-z0-9]{22}$/)),
  amountCents: z.int(refundTexts.badRefund).check(z.minimum(1, refundTexts.badRefund)),
  restockUnits: z.int().check(z.minimum(0), z.maximum(MAX_UNITS_PER_ORDER)),
  /** Whether the refund returns the surcharge for shipping, and no unit. */
  isForShipping: z.optional(z.boolean()),
})
export type RefundOrderInput = z.infer<typeof refundOrderSchema>

/** The refund form: an amount as the seller types it, and how many units go back on sale. */
export const refundFormSchema = z.strictObject({
  amount: z.pipe(
    z.string().check(z.refine((typed) => Boolean(parsePriceCents(typed)), refundTexts.badRefund)),
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
    .check(z.trim(), z.minLength(1, refundTexts.emptyAnswer), ...maxCharacters(2_000, orderTexts.longMessage)),
})
export type DeclineRefundInput = z.infer<typeof declineRefundSchema>

/** The integer id of a row. */
const databaseId = z.int().check(z.positive(), z.maximum(MAX_DATABASE_INT))

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

export const findOrderSchema = z.strictObject({
  email: z.string().check(z.trim(), z.toLowerCase(), ...maxCharacters(254), z.email(orderTexts.badEmail)),
})
export type FindOrderInput = z.infer<typeof findOrderSchema>

/** The seller's own statement in the evidence. */
export const answerDisputeSchema = z.strictObject({
  orderId: orderIdSchema,
  statement: z.string().check(z.trim(), ...maxCharacters(5_000, refundTexts.longStatement)),
})
export type AnswerDisputeInput = z.infer<typeof answerDisputeSchema>
