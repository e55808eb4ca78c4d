import 'server-only'
import type { Order, User } from '@prisma/client'

/**
 * Whether only the platform can pay the buyer back, because the seller has left. An order that was not delivered before
 * is not meant: it is refunded because of the closure, and the platform owes that refund anyway.
 */
export function canOnlyPlatformRepay({
  seller,
  productType,
  shippedAt,
  deliveredAt,
}: Pick<Order, 'productType' | 'shippedAt' | 'deliveredAt'> & { seller: Pick<User, 'deletedAt'> }): boolean {
  const wasDelivered = productType === 'digital' || shippedAt !== null || deliveredAt !== null
  return seller.deletedAt !== null && wasDelivered
}
