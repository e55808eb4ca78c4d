import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { completeOrder } from './complete-order'
import { orderError } from './messages'

/**
 * The buyer confirms that the order has arrived; the token in the link is the permission. The buyer can still ask for a
 * refund afterwards.
 * @throws NOT_FOUND, NOT_COMPLETABLE
 */
export async function confirmArrival(ctx: Context, { token }: { token: string }): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, (tx) => completeOrder(tx, order, 'buyer'))
}
