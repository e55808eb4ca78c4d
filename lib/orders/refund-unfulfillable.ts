import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { refundNotice } from './money-mails'

/**
 * Sends the money of an order that got no unit back through Stripe (DECISIONS 5). The order is refunded in our books
 * already; the key at Stripe comes from the order, so however often this runs there is one refund and one mail.
 */
export async function refundUnfulfillable(ctx: Context, orderId: string): Promise<'refunded'> {
  const pending = await ctx.db.refund.findFirst({
    where: { orderId, state: 'pending', requestedBy: 'system' },
    include: { order: { include: { seller: true } } },
  })
  if (!pending) return 'refunded'
  const { order } = pending
  if (!order.stripePaymentIntentId) throw new Error(`order ${orderId} has no payment to refund`)
  const refund = await ctx.stripe().refunds.create(
    {
      payment_intent: order.stripePaymentIntentId,
      metadata: { orderId, refundId: pending.id, reason: 'no-unit-left' },
    },
    { idempotencyKey: `refund-no-unit-${orderId}` },
  )
  await transaction(ctx, async (tx) => {
    const settled = await tx.db.refund.updateMany({
      where: { id: pending.id, state: 'pending' },
      data: { state: 'succeeded', stripeRefundId: refund.id, settledAt: ctx.clock.now() },
    })
    if (settled.count === 0 || !order.buyerEmail) return
    const mail = refundNotice(order, order.buyerEmail, ctx.appUrl)
    await queueMail(tx, [mail])
  })
  ctx.log.warn({ orderId }, 'paid without a unit left: refunded')
  return 'refunded'
}
