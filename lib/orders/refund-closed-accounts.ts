import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { sendRefund } from './refund-order'
import { refundedFeeCents, type RefundRequester, sentRefunds } from './rules'

/** Sent at once; whatever is left, and what Stripe could not be told, is the sweep's. */
const SENT_AT_ONCE = 20

/**
 * Locks what recordClosureRefunds() is going to refund. Before any drop is locked: whoever refunds or pays an order comes from the
 * order to the drop.
 */
export async function lockUnfulfilledOrders(tx: Context, sellerId: number): Promise<void> {
  await tx.db.$queryRaw`
    SELECT 1 FROM "Order" WHERE "sellerId" = ${sellerId} AND "status" = 'paid' AND "productType" <> 'digital'
     ORDER BY "id" FOR UPDATE`
}

/**
 * Writes down that a seller who goes away gives everything back that was paid for and never sent or done: nobody is there for it
 * any more (docs/product.md#the-path-of-a-purchase: a buyer who has paid gets either the goods or the money back). Files stay where they are, and what was sent stays
 * sold.
 * @returns the refunds, for sendClosureRefunds() once they are committed
 */
export async function recordClosureRefunds(tx: Context, sellerId: number): Promise<string[]> {
  await lockUnfulfilledOrders(tx, sellerId)
  const orders = await tx.db.order.findMany({
    where: { sellerId, status: 'paid', productType: { not: 'digital' } },
    include: { refunds: true },
  })
  const refunds = orders.flatMap((order) => {
    if (order.refunds.some(({ requestedBy }) => requestedBy === 'closure')) return []
    const sent = sentRefunds(order.refunds)
    const sentCents = sent.reduce((sum, refund) => sum + refund.amountCents, 0)
    const feeOf = (cents: number) => refundedFeeCents(order.platformFeeCents, order.amountCents, cents)
    const amountCents = order.amountCents - sentCents
    const requestedBy: RefundRequester = 'closure'
    const platformFeeCents = feeOf(order.amountCents) - feeOf(sentCents)
    if (amountCents === 0) return []
    return [{ id: newId('ref'), orderId: order.id, amountCents, platformFeeCents, reason: '', requestedBy }]
  })
  await tx.db.refund.deleteMany({
    where: { state: 'requested', orderId: { in: refunds.map(({ orderId }) => orderId) } },
  })
  await tx.db.refund.createMany({ data: refunds })
  return refunds.map(({ id }) => id)
}

/**
 * The same for what became paid, or paid again, after its seller had gone: a payment of that very moment, a dispute that was won. What
 * Stripe has turned down once is for an operator; it is not asked for again.
 */
export async function refundClosedAccounts(ctx: Context): Promise<void> {
  const sellers = await ctx.db.$queryRaw<{ id: number }[]>`
    SELECT u."id" FROM "User" u WHERE u."deletedAt" IS NOT NULL AND EXISTS (
      SELECT FROM "Order" o WHERE o."sellerId" = u."id" AND o."status" = 'paid' AND o."productType" <> 'digital'
         AND NOT EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'closure'))
    LIMIT ${SENT_AT_ONCE}`
  for (const { id } of sellers) {
    await sendClosureRefunds(ctx, await transaction(ctx, (tx) => recordClosureRefunds(tx, id)))
  }
}

/** Tells Stripe of the refunds that were written down. What it could not be told is the sweep's; what it refused needs a person. */
export async function sendClosureRefunds(ctx: Context, refundIds: readonly string[]): Promise<void> {
  for (const id of refundIds.slice(0, SENT_AT_ONCE)) {
    try {
      await sendRefund(ctx, id)
    } catch (error) {
      ctx.log.error({ refundId: id, cause: String(error) }, 'refund not sent')
    }
  }
}
