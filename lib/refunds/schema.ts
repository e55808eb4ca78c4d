import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { parsePriceCents } from '@/lib/kernel/money'
import { orderIdSchema } from '@/lib/orders/field-schema'
import { orderTexts } from '@/lib/orders/messages'
import { handRefundTexts, refundTexts } from './messages'
import { MAX_UNITS_PER_ORDER } from '@/lib/orders/rules'

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

/** The form for recording a refund that was paid to the buyer outside of Stripe. */
export const handRefundFormSchema = z.strictObject({
  reference: z
    .string()
    .check(z.trim(), z.minLength(1, handRefundTexts.badReference), ...maxCharacters(100, handRefundTexts.badReference))
    .check(z.regex(/^[^\p{Cc}]+$/u, handRefundTexts.badReference)),
})
export const handRefundSchema = z.strictObject({
  orderId: orderIdSchema,
  reference: handRefundFormSchema.shape.reference,
})
export type HandRefundInput = z.infer<typeof handRefundSchema>

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

/** The seller's own statement in the evidence. */
export const answerDisputeSchema = z.strictObject({
  orderId: orderIdSchema,
  statement: z.string().check(z.trim(), ...maxCharacters(5_000, refundTexts.longStatement)),
})
export type AnswerDisputeInput = z.infer<typeof answerDisputeSchema>
