import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { completeOrder } from './complete-order'
import { orderError } from './messages'

/**
 * The buyer says that it is there; the token is the permission. It takes nothing from them: a refund can still be asked for.
 * @throws NOT_FOUND, NOT_COMPLETABLE
 */
export async function confirmArrival(ctx: Context, { token }: { token: string }): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, (tx) => completeOrder(tx, order, 'buyer'))
}
