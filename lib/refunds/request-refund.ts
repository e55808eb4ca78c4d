import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderError } from '@/lib/orders/messages'
import { refundError } from './messages'
import { refundRequest } from './mails'
import { refundOfRest, type RefundRequester } from '@/lib/orders/refund-rules'
import { askAgainFrom, isRefundable, REPEATED_MESSAGE_MS } from '@/lib/orders/rules'
import type { BuyerMessageInput } from '@/lib/orders/schema'

/**
 * Records a buyer's request for a refund, shows it on the order and emails it to the seller. Only one request can be
 * open at a time. The same text within ten minutes counts as the same request. After a refusal the buyer may ask again
 * later, a limited number of times. Nothing can be requested for an amount whose refund is already on its way.
 * @throws NOT_FOUND, SELLER_GONE, NOT_REFUNDABLE, ALREADY_REQUESTED, ASK_LATER, ASKED_ENOUGH
 */
export async function requestRefund(ctx: Context, { token, text }: BuyerMessageInput): Promise<void> {
  await transaction(ctx, async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "token" = ${token} FOR UPDATE`
    const order = await tx.db.order.findUnique({ where: { token }, include: { seller: true, refunds: true } })
    if (!order) throw orderError('NOT_FOUND')
    if (order.seller.deletedAt) throw orderError('SELLER_GONE')
    // Money that is already on its way back to the buyer needs no request.
    const { amountCents } = refundOfRest(order, order.refunds)
    if (!isRefundable(order.status) || amountCents === 0) throw refundError('NOT_REFUNDABLE')
    const open = order.refunds.find(({ state }) => state === 'requested')
    if (open) {
      const ageMs = ctx.clock.now().getTime() - open.createdAt.getTime()
      if (open.reason === text && ageMs < REPEATED_MESSAGE_MS) return
      throw refundError('ALREADY_REQUESTED')
    }
    const declined = order.refunds.filter(({ state }) => state === 'declined')
    const from = askAgainFrom(declined.map(({ settledAt, createdAt }) => settledAt ?? createdAt))
    if (from === null) throw refundError('ASKED_ENOUGH')
    if (from > ctx.clock.now()) throw refundError('ASK_LATER')
    const id = newId('ref')
    const requestedBy: RefundRequester = 'buyer'
    const asked = { id, orderId: order.id, amountCents, platformFeeCents: 0, reason: text, requestedBy }
    await tx.db.refund.create({ data: { ...asked, state: 'requested' } })
    await queueMail(tx, [refundRequest(order, { id, text }, ctx.appUrl)])
  })
}
