import 'server-only'
import type { Order } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { shippingError } from './messages'
import { completionOf } from '@/lib/orders/rules'

/**
 * Marks an order as delivered or done. The update is conditional, so that a dispute or refund that happens in between
 * is not overwritten.
 * @returns false when the order was already marked as delivered or done.
 * @throws NOT_COMPLETABLE
 */
export async function completeOrder(tx: Context, order: Order, deliveredBy: 'buyer' | 'seller'): Promise<boolean> {
  const { id, productType } = order
  if (order.deliveredAt) return false
  const status = completionOf(order)
  if (!status) throw shippingError('NOT_COMPLETABLE')
  const moved = await tx.db.order.updateMany({
    where: { id, productType, status: order.status, deliveredAt: null },
    data: { status, deliveredAt: tx.clock.now(), deliveredBy },
  })
  if (moved.count > 0) return true
  const now = await tx.db.order.findUniqueOrThrow({ where: { id } })
  if (now.deliveredAt) return false
  throw shippingError('NOT_COMPLETABLE')
}
