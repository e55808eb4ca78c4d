import 'server-only'
import type { Prisma } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { postponePayout } from '@/lib/payouts/postpone-payout'
import { MOST_UNCOVERED_CENTS, readUncoveredCents } from '@/lib/payouts/read-uncovered-cents'
import { hasPaidSeller, lockRefundsOfSeller } from './assert-refund-covered'
import { bookDeduction } from './book-deduction'
import { sendRefund } from './refund-order'
import { type RefundRequester, refundOfRest } from '@/lib/orders/refund-rules'

/**
 * The highest number of refunds that one call sends, and of sellers for whom one sweep records refunds. The sweep sends
 * the rest later and retries the refunds that did not reach Stripe.
 */
const SENT_AT_ONCE = 20

/**
 * The highest number of orders for which one transaction records refunds. Each needs several statements, and a
 * transaction may take 15 seconds. Without a limit, a seller with thousands of open orders could never be removed. The
 * sweep records the others, and their payouts are not sent meanwhile.
 */
const RECORDED_AT_ONCE = 300

/**
 * SQL: whether the order `o` is to be refunded because of the closure: it was paid and not sent or done, no refund of
 * the closure is recorded, and other refunds do not cover all of it. A refund that waits for the money of the seller
 * does not count, because the refund of the closure replaces it (absorbTakenFirst()).
 */
const NEEDS_REFUND = `o."status" = 'paid' AND o."productType" <> 'digital'
  AND NOT EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'closure')
  AND o."amountCents" > COALESCE((SELECT sum(r."amountCents") FROM "Refund" r
                                   WHERE r."orderId" = o."id" AND (r."state" = 'succeeded' OR (r."state" = 'pending'
                                     AND NOT (r."isTakenBackFirst" AND r."takenBackAt" IS NULL AND r."stripeRefundId" IS NULL)))), 0)`

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
 * nobody will deliver it (docs/product.md#closing-an-account). Files stay available to their buyers, and shipped orders
 * are not refunded. Of orders whose payout the seller already has, the platform pays refunds in advance up to
 * MOST_UNCOVERED_CENTS, the smallest first. Any other waits until the seller's account has returned the money.
 * Otherwise sellers could sell to friends, take the payouts, and get everything refunded by having the account removed
 * (ADR 0027). Call it under lockRefundsOfSeller().
 * @returns the ids of at most RECORDED_AT_ONCE refunds, for sendClosureRefunds() once the refunds are committed
 */
export async function recordClosureRefunds(tx: Context, sellerId: number): Promise<string[]> {
  await lockUnfulfilledOrders(tx, sellerId)
  const isNew: Prisma.OrderWhereInput = {
    sellerId,
    status: 'paid',
    productType: { not: 'digital' },
    refunds: { none: { requestedBy: 'closure' satisfies RefundRequester } },
  }
  await absorbTakenFirst(tx, isNew)
  const found = await tx.sql<{ id: string }>(
    'orders-of-closed-account',
    `SELECT o."id" FROM "Order" o WHERE o."sellerId" = :sellerId AND ${NEEDS_REFUND}
      ORDER BY o."amountCents", o."id" LIMIT :limit`,
    { sellerId, limit: RECORDED_AT_ONCE },
  )
  const orders = await tx.db.order.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    include: { refunds: true },
  })
  const ids = orders.map(({ id }) => id)
  for (const id of ids) await postponePayout(tx, id)
  const payouts = await tx.db.transfer.findMany({
    where: { orderId: { in: ids } },
    select: { orderId: true, sentCents: true, withheldCents: true },
  })
  const paidOut = new Set(payouts.filter(hasPaidSeller).map(({ orderId }) => orderId))
  let uncoveredCents = paidOut.size > 0 ? await readUncoveredCents(tx, sellerId) : 0
  const rests = orders
    .map((order) => ({ orderId: order.id, ...refundOfRest(order, order.refunds) }))
    .filter(({ amountCents }) => amountCents > 0)
    .sort((one, other) => one.amountCents - other.amountCents)
  const refunds = rests.map(({ orderId, ...rest }) => {
    const sellerCents = rest.amountCents - rest.platformFeeCents
    const isTakenBackFirst = paidOut.has(orderId) && uncoveredCents + sellerCents > MOST_UNCOVERED_CENTS
    if (paidOut.has(orderId) && !isTakenBackFirst) uncoveredCents += sellerCents
    const requestedBy: RefundRequester = 'closure'
    return { id: newId('ref'), orderId, ...rest, reason: '', requestedBy, isTakenBackFirst }
  })
  await tx.db.refund.deleteMany({
    where: { state: 'requested', orderId: { in: refunds.map(({ orderId }) => orderId) } },
  })
  await tx.db.refund.createMany({ data: refunds })
  const waiting = new Set(refunds.flatMap(({ orderId, isTakenBackFirst }) => (isTakenBackFirst ? [orderId] : [])))
  for (const order of orders) if (waiting.has(order.id)) await bookDeduction(tx, order)
  return refunds.map(({ id }) => id)
}

/**
 * Deletes the seller's refunds that wait for money from the account. The refund of the closure returns their amounts,
 * too. None of them was sent to Stripe.
 */
async function absorbTakenFirst(tx: Context, order: Prisma.OrderWhereInput): Promise<void> {
  const waiting = await tx.db.refund.findMany({
    where: { order, state: 'pending', isTakenBackFirst: true, takenBackAt: null, stripeRefundId: null },
    include: { order: true },
  })
  await tx.db.refund.deleteMany({ where: { id: { in: waiting.map(({ id }) => id) } } })
  for (const refund of waiting) await bookDeduction(tx, refund.order)
}

/**
 * Records and sends the same refunds for orders that became paid, or paid again, after the account was closed. This
 * happens when a payment arrives at that moment, or when a dispute is won later. A refund that Stripe rejected once is
 * left to an operator and not requested again. The accounts are chosen at random, and a failure of one of them does not
 * keep the others waiting.
 */
export async function refundClosedAccounts(ctx: Context): Promise<void> {
  const sellers = await ctx.sql<{ id: number }>(
    'closed-accounts-to-refund',
    `SELECT u."id" FROM "User" u WHERE u."deletedAt" IS NOT NULL
        AND EXISTS (SELECT FROM "Order" o WHERE o."sellerId" = u."id" AND ${NEEDS_REFUND})
      ORDER BY random() LIMIT :limit`,
    { limit: SENT_AT_ONCE },
  )
  for (const { id } of sellers) {
    try {
      const refundIds = await transaction(ctx, async (tx) => {
        await lockRefundsOfSeller(tx, id)
        return recordClosureRefunds(tx, id)
      })
      await sendClosureRefunds(ctx, refundIds)
    } catch (error) {
      ctx.log.error({ sellerId: id, cause: String(error) }, 'refunds of a closed account not recorded')
    }
  }
}

/**
 * Sends the first 20 of the recorded refunds to Stripe. The sweep sends the others and retries those that did not reach
 * Stripe or that wait for the seller's money. A refund that Stripe rejected needs an operator.
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
