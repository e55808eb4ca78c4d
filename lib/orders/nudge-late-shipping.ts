import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { lateShippingNudge } from './mails'
import { LATE_AFTER_DAYS } from './rules'

const SELLERS_PER_SWEEP = 50

type LateOrder = { id: string; sellerId: number; dropTitle: string; shipName: string | null }

/**
 * Reminds sellers of parcels that should have been shipped: once per order, in at most one email a day per seller.
 * Sellers who turned off sales emails see it only in their list of orders.
 * @returns how many orders were marked as reminded, including those of sellers who get no email.
 */
export async function nudgeLateShipping(ctx: Context): Promise<number> {
  return transaction(ctx, async (tx) => {
    const late = await tx.db.$queryRaw<LateOrder[]>`
      WITH sellers AS (
        SELECT DISTINCT o."sellerId" FROM "Order" o
         WHERE o."status" = 'paid' AND o."productType" = 'physical' AND o."shipNudgedAt" IS NULL
           AND o."paidAt" < now() - make_interval(days => ${LATE_AFTER_DAYS}::int)
           AND NOT EXISTS (SELECT FROM "Order" r WHERE r."sellerId" = o."sellerId" AND r."shipNudgedAt" > now() - interval '20 hours')
         LIMIT ${SELLERS_PER_SWEEP}
      )
      UPDATE "Order" o SET "shipNudgedAt" = now() FROM sellers
       WHERE o."sellerId" = sellers."sellerId" AND o."status" = 'paid' AND o."productType" = 'physical'
         AND o."shipNudgedAt" IS NULL AND o."paidAt" < now() - make_interval(days => ${LATE_AFTER_DAYS}::int)
      RETURNING o."id", o."sellerId", o."dropTitle", o."shipName"`
    const sellers = await tx.db.user.findMany({
      where: { id: { in: late.map(({ sellerId }) => sellerId) }, emailNotifications: true, deletedAt: null },
    })
    const day = ctx.clock.now().toISOString().slice(0, 10)
    const mails = sellers.map((seller) => {
      const theirs = late.filter(({ sellerId }) => sellerId === seller.id)
      return lateShippingNudge(seller, theirs, day, ctx.appUrl)
    })
    await queueMail(tx, mails)
    return late.length
  })
}
