import 'server-only'
import { isOwedByPlatform, refundOfRest } from '@/lib/orders/refund-rules'

type ClosedOrder = {
  amountCents: number
  platformFeeCents: number
  status: string
  lateRefundAt: Date | null
  seller: { deletedAt: Date | null }
}

/**
 * What has to happen next to an order that its late refund has closed for shipping. While a refund is pending, and once
 * everything was refunded, that is nothing. A refund of the seller or of Stripe's dashboard may have failed, whose
 * amount the late refund left out: then the rest is refunded, too. When a late refund has failed, the order is open for
 * shipping again, so no refund is repeated without end. While the bank decides about a dispute, nothing is refunded.
 */
export function nextLateStep(
  order: ClosedOrder,
  refunds: readonly { state: string; amountCents: number; requestedBy: string }[],
): 'refund' | 'reopen' | null {
  if (order.lateRefundAt === null || refunds.some(({ state }) => state === 'pending')) return null
  if (refundOfRest(order, refunds).amountCents === 0) return null
  const hasFailed = refunds.some(({ state, requestedBy }) => state === 'failed' && requestedBy === 'late')
  // The orders of a closed account are refunded or paid back in another way.
  if (hasFailed || order.seller.deletedAt || refunds.some(isOwedByPlatform)) return 'reopen'
  return order.status === 'disputed' ? null : 'refund'
}
