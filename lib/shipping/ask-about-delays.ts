import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { delayNotice, delayQuestion } from './mails'
import { answerBy, usualNewDay } from './rules'
import { lateSql } from '@/lib/orders/late-sql'

const ORDERS_PER_RUN = 100

/**
 * Asks buyers whether they want to wait, once the promised day of their parcel has passed
 * (docs/product.md#late-parcels). Each promised day of an order is asked about once, because the row of the question is
 * unique. An order that is being shipped or refunded right now is locked by another transaction and is skipped.
 * @returns how many buyers were asked.
 */
export async function askAboutDelays(ctx: Context): Promise<number> {
  return transaction(ctx, async (tx) => {
    const ids = await tx.sql<{ id: string }>(
      'late-orders',
      `SELECT o."id" FROM "Order" o JOIN "User" u ON u."id" = o."sellerId"
        WHERE ${lateSql.toShip} AND o."shipsBy" IS NOT NULL AND ${lateSql.lateAt} <= now()
          AND u."deletedAt" IS NULL
          AND NOT EXISTS (SELECT FROM "ShippingDelay" s WHERE s."orderId" = o."id" AND s."missedDay" = o."shipsBy")
        ORDER BY o."shipsBy", o."id" LIMIT :limit FOR NO KEY UPDATE OF o SKIP LOCKED`,
      { limit: ORDERS_PER_RUN },
    )
    if (ids.length === 0) return 0
    const where = { id: { in: ids.map(({ id }) => id) } }
    const orders = await tx.db.order.findMany({ where, include: { seller: true } })
    const now = tx.clock.now()
    const late = orders.flatMap(({ seller, ...order }) => {
      if (order.shipsBy === null) return []
      const missedDay = order.shipsBy
      const delay = { missedDay, newDay: usualNewDay(missedDay, now), answerBy: answerBy(missedDay, now) }
      return [{ order, seller, delay: { ...delay, isProposed: false } }]
    })
    // Another process may have asked after this statement began and before the order was locked.
    const rows = await tx.db.shippingDelay.createManyAndReturn({
      data: late.map(({ order, delay }) => ({ orderId: order.id, ...delay })),
      skipDuplicates: true,
      select: { orderId: true },
    })
    const asked = late.filter(({ order }) => rows.some(({ orderId }) => orderId === order.id))
    await queueMail(
      tx,
      asked.flatMap(({ order, seller, delay }) => [
        ...(order.buyerEmail ? [delayQuestion(order, seller, { ...delay, askedAt: now }, tx.appUrl)] : []),
        delayNotice(order, seller, delay, tx.appUrl),
      ]),
    )
    return asked.length
  })
}
