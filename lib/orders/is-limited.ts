import 'server-only'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'

/** A drop's seller, and whether Stripe has checked the seller's payout account. */
export type DropSeller = Pick<DropRow, 'userId' | 'isSellerReady'>

/** Whether the seller has a monthly limit (docs/product.md#limit-of-unverified-sellers). */
export function isLimited({ sellerLimit }: Pick<Context, 'sellerLimit'>, { isSellerReady }: DropSeller): boolean {
  return sellerLimit !== null && !isSellerReady
}
