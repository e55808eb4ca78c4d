import { z } from 'zod/mini'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { given, typedAddressSchema } from '@/lib/orders/address-schema'
import { dropNumber, purchaseFields, quantity, selectedVariants } from '../field-schema'

/** The id of a tap on a wallet's button. The browser creates it, so that a call that cancels can name its own tap. */
const tapId = z.optional(z.string().check(z.regex(/^tap_[A-Za-z0-9]{22}$/)))

/** The body of POST /api/checkout/wallet (docs/contract.md#calls-about-buying, docs/product.md#wallets). */
export const startWalletSchema = z.strictObject({
  dropId: dropNumber,
  tapId,
  quantity,
  selectedVariants: z.optional(selectedVariants),
  ...purchaseFields,
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
 * The body of POST /api/checkout/wallet/check: what a wallet knows about its buyer, and the amount that it showed.
 * Whether the details are enough depends on the order, so checkWalletPayment() checks them against parcelDetailsSchema
 * or buyerDetailsSchema.
 */
export const checkWalletSchema = z.strictObject({
  paymentIntentId,
  amountCents: z.int().check(z.positive()),
  details: z.strictObject({ email: given, ...typedAddressSchema.shape }),
})
export type CheckWalletInput = z.infer<typeof checkWalletSchema>
