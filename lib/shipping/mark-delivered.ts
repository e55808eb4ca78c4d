import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { completeOrder } from './complete-order'
import { deliveredNotice } from './mails'
import { orderError } from '@/lib/orders/messages'

/**
 * Lets a seller mark a parcel as delivered or a service as done. The buyer is notified and can object. No payout
 * becomes due, because the payout of a parcel is due once it is shipped, and that of a service once it is paid
 * (docs/product.md#when-a-payout-is-sent).
 * @throws NOT_FOUND for another seller's order, NOT_COMPLETABLE
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
