import 'server-only'
import type { Order, Refund, User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { postponePayout } from '@/lib/payouts/postpone-payout'
import { lateRefundSellerNotice } from './late-mails'
import { type RefundRequester, refundOfRest } from '@/lib/orders/refund-rules'

/**
 * Records the refund of all that is left of a late order. The caller holds the lock on the order's row and closes the
 * order for shipping in the same transaction.
 * @param isAnswered whether the buyer chose the refund, and did not only let the time pass
 * @returns the id of the refund, or null when nothing is left
 */
export async function recordLateRefund(
  tx: Context,
  order: Order & { seller: User; refunds: Refund[] },
  isAnswered: boolean,
): Promise<string | null> {
  const { amountCents, platformFeeCents } = refundOfRest(order, order.refunds)
  if (amountCents === 0) return null
  await postponePayout(tx, order.id)
  const id = newId('ref')
  const requestedBy: RefundRequester = 'late'
  // This refund answers a request of the buyer that is still open.
  await tx.db.refund.deleteMany({ where: { orderId: order.id, state: 'requested' } })
  await tx.db.refund.create({ data: { id, orderId: order.id, amountCents, platformFeeCents, reason: '', requestedBy } })
  await queueMail(tx, [lateRefundSellerNotice(order, order.seller, { id, amountCents, isAnswered }, tx.appUrl)])
  return id
}
