import 'server-only'
import type { Order, Refund, ShippingDelay, User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { areGoodsRefunded } from '@/lib/stock/unit-rules'
import type { DelayAnswer } from '@/lib/orders/late-rules'
import { lateSql } from '@/lib/orders/late-sql'
import { recordLateRefund } from './record-late-refund'
import { sendRefund } from './refund-order'
import { keepTakenFirst } from './take-back-refund'

type LateOrder = Order & { seller: User; refunds: Refund[] }

/**
 * Records the full refund of a late order and the answer that caused it. The caller holds the lock on the order's row
 * and has checked that it is neither shipped nor being refunded. `lateRefundAt` closes the order for shipping in the
 * same transaction, so an order is either shipped or refunded (ADR 0063).
 * @returns the id of the refund for sendLateRefund(), or null when other refunds of everything are under way.
 */
export async function refundLateOrder(
  tx: Context,
  order: LateOrder,
  delay: ShippingDelay,
  answer: Exclude<DelayAnswer, 'wait'>,
): Promise<string | null> {
  const now = tx.clock.now()
  await tx.db.shippingDelay.update({ where: { id: delay.id }, data: { answer, answeredAt: now } })
  await keepTakenFirst(tx, [order.id])
  // The order is closed even if pending refunds cover everything. If one of them fails, settleLateOrder() refunds it.
  await tx.db.order.update({ where: { id: order.id }, data: { lateRefundAt: now } })
  return recordLateRefund(tx, order, answer === 'refund')
}

/** Sends a recorded refund to Stripe. If that fails, the sweep sends it again, unless Stripe has refused the refund. */
export async function sendLateRefund(ctx: Context, refundId: string): Promise<void> {
  try {
    await sendRefund(ctx, refundId)
  } catch (error) {
    ctx.log.error({ refundId, cause: String(error) }, 'the refund of a late order was not sent')
  }
}

const ORDERS_PER_RUN = 20

/**
 * Refunds late orders whose buyers did not answer in time (docs/product.md#late-parcels). An order that was shipped in
 * the meantime, or whose units were all refunded, is not refunded. The orders are chosen at random, so that those which
 * cannot be refunded do not keep the others waiting.
 * @returns how many orders are being refunded.
 * @throws the last error, after the other orders were refunded
 */
export async function refundUnanswered(ctx: Context): Promise<number> {
  const due = await ctx.sql<{ id: number; orderId: string }>(
    'unanswered-delays',
    `SELECT s."id", s."orderId" FROM "ShippingDelay" s JOIN "Order" o ON o."id" = s."orderId"
      WHERE s."answeredAt" IS NULL AND s."answerBy" <= now() AND ${lateSql.toShip}
      ORDER BY random() LIMIT :limit`,
    { limit: ORDERS_PER_RUN },
  )
  let refunded = 0
  let failure: unknown
  for (const { id, orderId } of due) {
    const refundId = await transaction(ctx, async (tx) => {
      const late = await lockLateOrder(tx, { orderId })
      return late?.delay.id === id && late.delay.answerBy <= tx.clock.now()
        ? refundLateOrder(tx, late.order, late.delay, 'silence')
        : null
    }).catch((error: unknown) => {
      // One order that cannot be refunded must not keep the others from being refunded.
      ctx.log.error({ orderId, cause: String(error) }, 'a late order was not refunded')
      failure = error
      return null
    })
    if (refundId === null) continue
    refunded += 1
    await sendLateRefund(ctx, refundId)
  }
  if (failure) throw failure
  return refunded
}

/**
 * Locks an order, and returns it with the open question about its delay. Returns null when no question is open, or when
 * the order has shipped, is being refunded, or has no unit left to ship.
 */
export async function lockLateOrder(
  tx: Context,
  where: { orderId: string } | { token: string },
): Promise<{ order: LateOrder; delay: ShippingDelay } | null> {
  const [row] =
    'token' in where
      ? await tx.db.$queryRaw<{ id: string }[]>`SELECT "id" FROM "Order" WHERE "token" = ${where.token} FOR UPDATE`
      : await tx.db.$queryRaw<{ id: string }[]>`SELECT "id" FROM "Order" WHERE "id" = ${where.orderId} FOR UPDATE`
  if (!row) return null
  const include = { seller: true, refunds: true, delays: { where: { answeredAt: null } } }
  const { delays, ...order } = await tx.db.order.findUniqueOrThrow({ where: { id: row.id }, include })
  const [delay] = delays
  if (!delay || order.status !== 'paid' || order.lateRefundAt !== null) return null
  return areGoodsRefunded(order, order.refunds) ? null : { order, delay }
}
