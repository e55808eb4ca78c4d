import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Lets the seller of a late order ship it again after its refund has failed. Without this the buyer could get neither
 * the money nor the goods.
 */
export async function reopenLateOrder(
  { db }: Pick<Context, 'db'>,
  refund: { orderId: string; requestedBy: string },
): Promise<void> {
  if (refund.requestedBy !== 'late') return
  await db.order.update({ where: { id: refund.orderId }, data: { lateRefundAt: null } })
}
