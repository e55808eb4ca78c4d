import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { completeOrder } from './complete-order'
import { orderError } from '@/lib/orders/messages'

/**
 * Records that the buyer confirms the arrival of the order. The token from the link is the only permission needed. The
 * buyer can still request a refund afterwards.
 * @throws NOT_FOUND, NOT_COMPLETABLE
 */
export async function confirmArrival(ctx: Context, { token }: { token: string }): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, (tx) => completeOrder(tx, order, 'buyer'))
}
