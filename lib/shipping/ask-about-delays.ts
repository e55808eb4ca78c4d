import 'server-only'
import { type Batch, handleBatch } from '@/lib/infra/handle-batch'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { delayNotice, delayQuestion } from './mails'
import { answerBy, usualNewDay } from './rules'
import { lateSql } from '@/lib/orders/late-sql'

const ORDERS_PER_RUN = 100

/**
 * Asks buyers whether they want to wait, once the promised day of their parcel has passed
 * (docs/product.md#late-parcels). Each promised day of an order is asked about once, because the row of the question is
 * unique. An order that is being shipped or refunded right now is locked by another transaction and is skipped. A
 * buyer who cannot be asked does not keep the others waiting.
 * @returns how many buyers were asked.
 */
export function askAboutDelays(ctx: Context): Promise<number> {
  return handleBatch<string>(ctx, { name: 'delays', most: ORDERS_PER_RUN, handle: (batch) => ask(ctx, batch) })
}

function ask(ctx: Context, { limit, except, note }: Batch<string>): Promise<number> {
  return transaction(ctx, async (tx) => {
    const rows = await tx.sql<{ id: string }>(
      'late-orders',
      `SELECT o."id" FROM "Order" o JOIN "User" u ON u."id" = o."sellerId"
        WHERE ${lateSql.toShip} AND o."shipsBy" IS NOT NULL AND ${lateSql.lateAt} <= now()
          AND u."deletedAt" IS NULL AND o."id" <> ALL(:except::text[])
          AND NOT EXISTS (SELECT FROM "ShippingDelay" s WHERE s."orderId" = o."id" AND s."missedDay" = o."shipsBy")
        ORDER BY o."shipsBy", o."id" LIMIT :limit FOR NO KEY UPDATE OF o SKIP LOCKED`,
      { limit, except },
    )
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    note(ids)
    const where = { id: { in: ids } }
    const orders = await tx.db.order.findMany({ where, include: { seller: true } })
    const now = tx.clock.now()
    const late = orders.flatMap(({ seller, ...order }) => {
      if (order.shipsBy === null) return []
      const missedDay = order.shipsBy
      const delay = { missedDay, newDay: usualNewDay(missedDay, now), answerBy: answerBy(missedDay, now) }
      return [{ order, seller, delay: { ...delay, isProposed: false } }]
    })
    // Another process may have asked after this statement began and before the order was locked.
    const made = await tx.db.shippingDelay.createManyAndReturn({
      data: late.map(({ order, delay }) => ({ orderId: order.id, ...delay })),
      skipDuplicates: true,
      select: { orderId: true },
    })
    const asked = late.filter(({ order }) => made.some(({ orderId }) => orderId === order.id))
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
