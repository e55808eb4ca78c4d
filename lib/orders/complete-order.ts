import 'server-only'
import type { Order } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { deliveredNotice } from './mails'
import { orderError } from './messages'
import { completionOf } from './rules'

/**
 * The seller says that a parcel has arrived or a service is done. The buyer hears of it, and can say otherwise. No money
 * moves by it: a share is due when it is shipped (DECISIONS 1).
 * @throws NOT_FOUND for somebody else's order, NOT_COMPLETABLE
 */
export async function markDelivered(ctx: Context<UserActor>, { orderId }: { orderId: string }): Promise<void> {
  const where = { id: orderId, sellerId: ctx.actor.userId }
  const order = await ctx.db.order.findFirst({ where, include: { seller: true } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, async (tx) => {
    const isNew = await complete(tx, order, 'seller')
    if (!isNew || !order.buyerEmail) return
    const mail = deliveredNotice(order, order.buyerEmail, ctx.appUrl)
    await queueMail(tx, [mail])
  })
}

/**
 * The buyer says that it is there; the token is the permission. It takes nothing from them: a refund can still be asked for.
 * @throws NOT_FOUND, NOT_COMPLETABLE
 */
export async function confirmArrival(ctx: Context, { token }: { token: string }): Promise<void> {
  const order = await ctx.db.order.findUnique({ where: { token } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, (tx) => complete(tx, order, 'buyer'))
}

/** The statement decides, so that a dispute or refund in between is not overwritten. @returns false when it was said before. */
async function complete(tx: Context, order: Order, deliveredBy: 'buyer' | 'seller'): Promise<boolean> {
  const { id, productType } = order
  if (order.deliveredAt) return false
  const status = completionOf(order)
  if (!status) throw orderError('NOT_COMPLETABLE')
  const moved = await tx.db.order.updateMany({
    where: { id, productType, status: order.status, deliveredAt: null },
    data: { status, deliveredAt: tx.clock.now(), deliveredBy },
  })
  if (moved.count > 0) return true
  const now = await tx.db.order.findUniqueOrThrow({ where: { id } })
  if (now.deliveredAt) return false
  throw orderError('NOT_COMPLETABLE')
}
