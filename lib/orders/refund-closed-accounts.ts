import 'server-only'
import { postponePayout } from '@/lib/payouts/postpone-payout'
import { type Context, transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { sendRefund } from './refund-order'
import { type RefundRequester, refundOfRest } from './rules'
import { keepTakenFirst } from './take-back-refund'

/**
 * The highest number of refunds that one call sends, and of sellers for whom one sweep records refunds. The sweep sends
 * the rest later and retries the refunds that did not reach Stripe.
 */
const SENT_AT_ONCE = 20

/**
 * Locks the orders that recordClosureRefunds() may refund. It must run before any drop is locked, because refunding and
 * paying also lock the order before the drop. The opposite sequence could deadlock.
 */
export async function lockUnfulfilledOrders(tx: Context, sellerId: number): Promise<void> {
  await tx.db.$queryRaw`
    SELECT 1 FROM "Order" WHERE "sellerId" = ${sellerId} AND "status" = 'paid' AND "productType" <> 'digital'
     ORDER BY "id" FOR UPDATE`
}

/**
 * Records refunds for everything that was paid but not yet shipped or done when a seller closes the account, because
 * nobody will deliver it (docs/product.md#the-path-of-a-purchase). Files stay available to their buyers, and shipped
 * orders are not refunded.
 * @returns the ids of the refunds, for sendClosureRefunds() once the refunds are committed
 */
export async function recordClosureRefunds(tx: Context, sellerId: number): Promise<string[]> {
  await lockUnfulfilledOrders(tx, sellerId)
  const orders = await tx.db.order.findMany({
    where: { sellerId, status: 'paid', productType: { not: 'digital' } },
    include: { refunds: true },
  })
  await keepTakenFirst(
    tx,
    orders.map(({ id }) => id),
  )
  const refunds = orders.flatMap((order) => {
    if (order.refunds.some(({ requestedBy }) => requestedBy === 'closure')) return []
    const requestedBy: RefundRequester = 'closure'
    const rest = refundOfRest(order, order.refunds)
    if (rest.amountCents === 0) return []
    return [{ id: newId('ref'), orderId: order.id, ...rest, reason: '', requestedBy }]
  })
  await tx.db.refund.deleteMany({
    where: { state: 'requested', orderId: { in: refunds.map(({ orderId }) => orderId) } },
  })
  for (const { orderId } of refunds) await postponePayout(tx, orderId)
  await tx.db.refund.createMany({ data: refunds })
  return refunds.map(({ id }) => id)
}

/**
 * Records and sends the same refunds for orders that became paid, or paid again, after the account was closed. This
 * happens when a payment arrives at that moment, or when a dispute is won later. A refund that Stripe rejected once is
 * left to an operator and not requested again.
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

/**
 * Sends the first 20 of the recorded refunds to Stripe. The sweep sends the others and retries those that did not reach
 * Stripe. A refund that Stripe rejected needs an operator.
 */
export async function sendClosureRefunds(ctx: Context, refundIds: readonly string[]): Promise<void> {
  for (const id of refundIds.slice(0, SENT_AT_ONCE)) {
    try {
      await sendRefund(ctx, id)
    } catch (error) {
      ctx.log.error({ refundId: id, cause: String(error) }, 'refund not sent')
    }
  }
}
