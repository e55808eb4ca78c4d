import 'server-only'
import { statement } from '@/lib/infra/db'

/** `stripe-away`: Stripe may have opened the checkout all the same, so the same buyer may take it up again. */
export type ReleaseReason = 'expired' | 'cancelled' | 'restarted' | 'stripe-away' | 'stripe-refused'

/**
 * Gives held units back, once: a hold already sold or released stays as it is.
 * @returns whether this call released it.
 */
export async function releaseHold(holdId: string, reason: ReleaseReason): Promise<boolean> {
  const rows = await statement<{ id: string }>(
    'release-hold',
    `WITH released AS (
       UPDATE "Hold" SET "state" = 'released', "reason" = $2, "settledAt" = now()
        WHERE "id" = $1 AND "state" = 'held' RETURNING "id", "dropId", "quantity"
     ), freed AS (
       UPDATE "Drop" d SET "held" = d."held" - r."quantity" FROM released r WHERE d."id" = r."dropId" RETURNING d."id"
     ), expired AS (
       UPDATE "Order" o SET "status" = 'expired' FROM released r WHERE o."holdId" = r."id" AND o."status" = 'pending'
       RETURNING o."id"
     )
     SELECT r."id" FROM released r, freed`,
    [holdId, reason],
  )
  return rows.length > 0
}
