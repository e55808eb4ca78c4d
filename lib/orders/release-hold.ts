import 'server-only'
import type { Context } from '@/lib/infra/context'
import { stockSql } from '@/lib/stock/stock-sql'

/** `stripe-away`: Stripe may have opened the checkout all the same, so the same buyer may resume it. */
export type ReleaseReason = 'expired' | 'cancelled' | 'restarted' | 'stripe-away' | 'stripe-refused'

/**
 * Releases held units once. A hold that is sold or released already is left unchanged.
 * @returns whether this call released it.
 */
export async function releaseHold(ctx: Context, holdId: string, reason: ReleaseReason): Promise<boolean> {
  const rows = await ctx.sql<{ id: string }>(
    'release-hold',
    `WITH released AS (
       UPDATE "Hold" SET "state" = 'released', "reason" = :reason, "settledAt" = now()
        WHERE "id" = :holdId AND "state" = 'held' RETURNING "id", "dropId", "quantity"
     ), freed AS (
       UPDATE "Drop" d SET ${stockSql.release('r."quantity"')} FROM released r WHERE d."id" = r."dropId" RETURNING d."id"
     ), expired AS (
       UPDATE "Order" o SET "status" = 'expired' FROM released r WHERE o."holdId" = r."id" AND o."status" = 'pending'
       RETURNING o."id"
     )
     SELECT r."id" FROM released r, freed`,
    { holdId, reason },
  )
  return rows.length > 0
}
