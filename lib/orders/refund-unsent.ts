import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Tx } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { sendRefund } from './refund-order'
import { refundedFeeCents } from './rules'

/** Sent at once; whatever is left, and what Stripe could not be told, is the sweep's. */
const SENT_AT_ONCE = 20

/**
 * Writes down that a seller who goes away gives everything back that was paid for and never sent or done: nobody is there for it
 * any more (PAYMENTS: nobody pays without getting goods or money back). Files stay where they are, and what was sent stays
 * sold.
 * @returns the refunds, for sendUnsentRefunds() once they are committed
 */
export async function writeDownUnsentRefunds(tx: Tx, sellerId: number): Promise<string[]> {
  await tx.$queryRaw`
    SELECT 1 FROM "Order" WHERE "sellerId" = ${sellerId} AND "status" = 'paid' AND "productType" <> 'digital'
     ORDER BY "id" FOR UPDATE`
  const orders = await tx.order.findMany({
    where: { sellerId, status: 'paid', productType: { not: 'digital' } },
    include: { refunds: { where: { state: { in: ['pending', 'succeeded'] } } } },
  })
  const refunds = orders.flatMap((order) => {
    const sentCents = order.refunds.reduce((sum, refund) => sum + refund.amountCents, 0)
    const feeOf = (cents: number) => refundedFeeCents(order.platformFeeCents, order.amountCents, cents)
    const amountCents = order.amountCents - sentCents
    const platformFeeCents = feeOf(order.amountCents) - feeOf(sentCents)
    if (amountCents === 0) return []
    return [{ id: newId('ref'), orderId: order.id, amountCents, platformFeeCents, reason: '', requestedBy: 'closure' }]
  })
  await tx.refund.deleteMany({ where: { state: 'requested', orderId: { in: refunds.map(({ orderId }) => orderId) } } })
  await tx.refund.createMany({ data: refunds })
  return refunds.map(({ id }) => id)
}

/** Tells Stripe of the refunds that were written down. */
export async function sendUnsentRefunds(ctx: Context, refundIds: readonly string[]): Promise<void> {
  for (const id of refundIds.slice(0, SENT_AT_ONCE)) {
    try {
      await sendRefund(ctx, id)
    } catch (error) {
      ctx.log.error({ refundId: id, cause: String(error) }, 'refund left to the sweep')
    }
  }
}
