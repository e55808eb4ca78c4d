import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { completeOrder } from './complete-order'
import { deliveredNotice } from './mails'
import { orderError } from './messages'

/**
 * The seller says that a parcel has arrived or a service is done. The buyer hears of it, and can say otherwise. No money
 * moves by it: a share is due when it is shipped (docs/product.md#payouts).
 * @throws NOT_FOUND for somebody else's order, NOT_COMPLETABLE
 */
export async function markDelivered(ctx: Context<UserActor>, { orderId }: { orderId: string }): Promise<void> {
  const where = { id: orderId, sellerId: ctx.actor.userId }
  const order = await ctx.db.order.findFirst({ where, include: { seller: true } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, async (tx) => {
    const isNew = await completeOrder(tx, order, 'seller')
    if (!isNew || !order.buyerEmail) return
    const mail = deliveredNotice(order, order.buyerEmail, ctx.appUrl)
    await queueMail(tx, [mail])
  })
}
