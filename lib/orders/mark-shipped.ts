import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { orderError } from './messages'
import { shippedNotice } from './mails'
import type { MarkShippedInput } from './schema'

/**
 * The seller marks a physical order as shipped: the buyer gets an email and the payout is due at once
 * (docs/product.md#when-a-payout-is-sent). Marking it again only corrects the tracking number.
 * @throws NOT_FOUND for another seller's order, NOT_SHIPPABLE for one that is not paid or needs no shipping.
 */
export async function markShipped(ctx: Context<UserActor>, input: MarkShippedInput): Promise<void> {
  const { orderId, carrier, trackingNumber } = input
  const order = await ctx.db.order.findFirst({
    where: { id: orderId, sellerId: ctx.actor.userId },
    include: { seller: true },
  })
  if (!order) throw orderError('NOT_FOUND')
  const now = ctx.clock.now()
  await transaction(ctx, async (tx) => {
    const moved = await tx.db.order.updateMany({
      where: { id: orderId, productType: 'physical', status: { in: ['paid', 'shipped'] } },
      data: { status: 'shipped', carrier, trackingNumber, shippedAt: order.shippedAt ?? now },
    })
    if (moved.count === 0) throw orderError('NOT_SHIPPABLE')
    await tx.db.transfer.updateMany({ where: { orderId, state: 'waiting', dueAt: { gt: now } }, data: { dueAt: now } })
    if (order.buyerEmail) {
      const mail = shippedNotice({ ...order, carrier, trackingNumber }, order.buyerEmail, ctx.appUrl)
      await queueMail(tx, [mail])
    }
  })
}
