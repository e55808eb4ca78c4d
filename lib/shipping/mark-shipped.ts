import 'server-only'
import { firstPhoto, toMailedPhoto } from '@/lib/drops/mails'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { makeTransfersDue } from '@/lib/payouts/make-transfers-due'
import { areGoodsRefunded } from '@/lib/stock/unit-rules'
import { orderError } from '@/lib/orders/messages'
import { shippingError } from './messages'
import { shippedNotice } from './mails'
import type { MarkShippedInput } from './schema'

/**
 * Marks a physical order as shipped. The buyer gets one email, and the payout falls due right away
 * (docs/product.md#when-a-payout-is-sent). Marking the order again only corrects the carrier and the tracking number.
 * @throws NOT_FOUND for another seller's order, NOT_SHIPPABLE for an order that is not paid, needs no shipping, has no
 *   unit left to ship after refunds, or is being refunded because it was late, ADDRESS_CHANGED when the seller saw an
 *   earlier address.
 */
export async function markShipped(ctx: Context<UserActor>, input: MarkShippedInput): Promise<void> {
  const { orderId, carrier, trackingNumber } = input
  const order = await ctx.db.order.findFirst({
    where: { id: orderId, sellerId: ctx.actor.userId },
    include: { refunds: true, seller: true, drop: { select: firstPhoto } },
  })
  if (!order) throw orderError('NOT_FOUND')
  if (order.status === 'paid' && areGoodsRefunded(order, order.refunds)) throw shippingError('NOT_SHIPPABLE')
  const now = ctx.clock.now()
  const sameAddress = input.addressVersion === undefined ? {} : { addressVersion: input.addressVersion }
  await transaction(ctx, async (tx) => {
    const moved = await tx.db.order.updateMany({
      where: {
        id: orderId,
        productType: 'physical',
        status: { in: ['paid', 'shipped'] },
        lateRefundAt: null,
        ...sameAddress,
      },
      data: { status: 'shipped', carrier, trackingNumber, shippedAt: order.shippedAt ?? now },
    })
    if (moved.count === 0) {
      const { addressVersion } = await tx.db.order.findUniqueOrThrow({ where: { id: orderId } })
      const isSame = (input.addressVersion ?? addressVersion) === addressVersion
      throw shippingError(isSame ? 'NOT_SHIPPABLE' : 'ADDRESS_CHANGED')
    }
    await makeTransfersDue(tx, [orderId])
    if (order.buyerEmail) {
      const mail = shippedNotice(
        { ...order, photo: toMailedPhoto(order.drop), carrier, trackingNumber },
        order.buyerEmail,
        ctx.appUrl,
      )
      await queueMail(tx, [mail])
    }
  })
}
