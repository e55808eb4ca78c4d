import { proofSchema } from '@/lib/accounts/schema'
import { ORDER_ID } from '@/lib/kernel/id'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { parsePriceCents } from '@/lib/kernel/money'
import { z } from 'zod/mini'
import { debtPaymentTexts, handPaymentTexts } from './messages'
import { PAYOUT_COUNTRIES } from './rules'

/**
 * The body of POST /api/payouts/connect (docs/contract.md). The country is used only when the connected account is
 * created, because Stripe never changes it.
 */
export const connectPayoutsSchema = z.extend(proofSchema, { country: z.optional(z.enum(PAYOUT_COUNTRIES)) })

export type ConnectPayoutsInput = z.infer<typeof connectPayoutsSchema>

const reference = z
  .string()
  .check(z.trim(), z.minLength(1, handPaymentTexts.badReference), ...maxCharacters(100, handPaymentTexts.badReference))
  .check(z.regex(/^[^\p{Cc}]+$/u, handPaymentTexts.badReference))

/** A payment to a seller that an administrator made outside of Stripe (docs/product.md#payouts-in-another-currency). */
export const handPaymentSchema = z.strictObject({
  orderId: z.string().check(z.regex(ORDER_ID)),
  amountCents: z.int(handPaymentTexts.badAmount).check(z.minimum(1, handPaymentTexts.badAmount)),
  reference,
})
export type HandPaymentInput = z.infer<typeof handPaymentSchema>

/** An amount as an administrator types it, converted to cents. */
const typedAmount = (refusal: string) =>
  z.pipe(
    z.string().check(z.refine((typed) => Boolean(parsePriceCents(typed)), refusal)),
    z.transform((typed: string) => parsePriceCents(typed) ?? 0),
  )

/** The same payment as the administrator types it. */
export const handPaymentFormSchema = z.strictObject({ amount: typedAmount(handPaymentTexts.badAmount), reference })

/** The body of POST /api/admin/users/{id}/debt-payments: what a seller paid back outside of Stripe. */
export const debtPaymentSchema = z.strictObject({
  amountCents: z.int(debtPaymentTexts.badAmount).check(z.minimum(1, debtPaymentTexts.badAmount)),
  reference,
})
export type DebtPaymentInput = z.infer<typeof debtPaymentSchema>

/** The same payment as the administrator types it. */
export const debtPaymentFormSchema = z.strictObject({ amount: typedAmount(debtPaymentTexts.badAmount), reference })
