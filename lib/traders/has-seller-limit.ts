import 'server-only'
import type { Context } from '@/lib/infra/context'

/** A drop's seller, and whether Stripe has checked the seller's payout account. */
export type DropSeller = { userId: number; isSellerReady: boolean }

/** Whether the seller has a monthly limit (docs/product.md#limit-of-unverified-sellers). */
export function hasSellerLimit({ sellerLimit }: Pick<Context, 'sellerLimit'>, { isSellerReady }: DropSeller): boolean {
  return sellerLimit !== null && !isSellerReady
}
