import 'server-only'
import { type Batch, handleBatch } from '@/lib/infra/handle-batch'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { shipSoonNotice, lateShippingNudge } from './mails'
import { lateSql } from '@/lib/orders/late-sql'

const SELLERS_PER_SWEEP = 50

type LateOrder = { id: string; sellerId: number; dropTitle: string; shipName: string | null; shipsBy: Date | null }

/**
 * Reminds sellers of parcels that should have been shipped, and of parcels that have to be shipped soon because of a
 * promise. Each order causes one reminder, and another one after its buyer has agreed to wait for a new day. A seller
 * is reminded at most every 20 hours. Sellers who turned off sales emails get only the emails about promises. A seller
 * who cannot be reminded does not keep the others waiting.
 * @returns how many orders were marked as reminded, including those of sellers who get no email.
 */
export function nudgeLateShipping(ctx: Context): Promise<number> {
  return handleBatch<number>(ctx, {
    name: 'late-parcels',
    most: SELLERS_PER_SWEEP,
    handle: (batch) => nudge(ctx, batch),
  })
}

function nudge(ctx: Context, { limit, except, note }: Batch<number>): Promise<number> {
  return transaction(ctx, async (tx) => {
    const late = await tx.sql<LateOrder>(
      'nudge-late-shipping',
      `
      WITH sellers AS (
        SELECT DISTINCT o."sellerId" FROM "Order" o
         WHERE ${lateSql.toShip} AND o."shipNudgedAt" IS NULL
           AND ${lateSql.remindAt} < now() AND o."sellerId" <> ALL(:except::int[])
           AND NOT EXISTS (SELECT FROM "Order" r WHERE r."sellerId" = o."sellerId" AND r."shipNudgedAt" > now() - interval '20 hours')
         LIMIT :limit
      )
      UPDATE "Order" o SET "shipNudgedAt" = now() FROM sellers
       WHERE o."sellerId" = sellers."sellerId" AND ${lateSql.toShip}
         AND o."shipNudgedAt" IS NULL AND ${lateSql.remindAt} < now()
      RETURNING o."id", o."sellerId", o."dropTitle", o."shipName", o."shipsBy"`,
      { limit, except },
    )
    note([...new Set(late.map(({ sellerId }) => sellerId))])
    const sellers = await tx.db.user.findMany({
      where: { id: { in: late.map(({ sellerId }) => sellerId) }, deletedAt: null },
    })
    const day = ctx.clock.now().toISOString().slice(0, 10)
    const mails = sellers.flatMap((seller) => {
      const theirs = late.filter(({ sellerId }) => sellerId === seller.id)
      const promised = theirs.filter(({ shipsBy }) => shipsBy !== null)
      const others = theirs.filter(({ shipsBy }) => shipsBy === null)
      return [
        // A late parcel with a promise costs the seller the sale, so this email cannot be switched off.
        ...(promised.length > 0 ? [shipSoonNotice(seller, promised, day, ctx.appUrl)] : []),
        ...(others.length > 0 && seller.emailNotifications ? [lateShippingNudge(seller, others, day, ctx.appUrl)] : []),
      ]
    })
    await queueMail(tx, mails)
    return late.length
  })
}
