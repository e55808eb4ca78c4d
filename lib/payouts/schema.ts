import { proofSchema } from '@/lib/accounts/schema'
import { ORDER_ID } from '@/lib/kernel/id'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { parsePriceCents } from '@/lib/kernel/money'
import { z } from 'zod/mini'
import { handPaymentTexts } from './messages'
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

/** The same payment as the administrator types it. */
export const handPaymentFormSchema = z.strictObject({
  amount: z.pipe(
    z.string().check(z.refine((typed) => Boolean(parsePriceCents(typed)), handPaymentTexts.badAmount)),
    z.transform((typed: string) => parsePriceCents(typed) ?? 0),
  ),
  reference,
})
