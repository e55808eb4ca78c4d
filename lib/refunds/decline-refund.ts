import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderError } from '@/lib/orders/messages'
import { refundError } from './messages'
import { refundDeclined } from './mails'
import type { DeclineRefundInput } from './schema'
import { lockOrderOnly } from '@/lib/orders/guards'

/**
 * Lets a seller decline a buyer's refund request. The buyer receives the seller's answer by email and sees it on the
 * order page. Declining again changes nothing, and the first answer is kept.
 * @throws NOT_FOUND, or NOT_REQUESTED when there is no such request or it was answered with a refund.
 */
export async function declineRefund(
  ctx: Context<UserActor>,
  { orderId, requestId, answer }: DeclineRefundInput,
): Promise<void> {
  const where = { id: orderId, sellerId: ctx.actor.userId }
  const order = await ctx.db.order.findFirst({ where, include: { seller: true } })
  if (!order) throw orderError('NOT_FOUND')
  await transaction(ctx, async (tx) => {
    // Requesting, declining and refunding all take this lock, so that they happen one after the other.
    await lockOrderOnly(tx, orderId)
    const answered = await tx.db.refund.updateMany({
      where: { id: requestId, orderId, state: 'requested' },
      data: { state: 'declined', answer, settledAt: ctx.clock.now() },
    })
    if (answered.count === 0) {
      const wasDeclined = (await tx.db.refund.count({ where: { id: requestId, orderId, state: 'declined' } })) > 0
      if (wasDeclined) return
      throw refundError('NOT_REQUESTED')
    }
    if (!order.buyerEmail) return
    const mail = refundDeclined(order, { id: requestId, answer }, order.buyerEmail, ctx.appUrl)
    await queueMail(tx, [mail])
  })
}
