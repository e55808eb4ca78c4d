import 'server-only'
import type { Context } from '@/lib/infra/context'
import { countHold } from '@/lib/infra/metrics'
import { codeSql } from '@/lib/stock/code-sql'
import { earlySql, earlyUnitsOf } from '@/lib/stock/early-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'

/**
 * Why a hold is released. `closed`: we ended the sale, for example by a pause, so it is not the buyer's fault.
 * `stripe-away`: Stripe may have opened the checkout anyway, so the same buyer may resume it. `yielded`: too many units
 * were unpaid, and the checkout can still be paid while units are left (docs/product.md#when-many-buy-at-once).
 */
export type ReleaseReason =
  'expired' | 'cancelled' | 'closed' | 'restarted' | 'yielded' | 'line-full' | 'stripe-away' | 'stripe-refused'

/**
 * Releases held units once, and marks the order as expired. A hold that is already sold or released stays unchanged,
 * with one exception. A hold that was yielded gets the new reason, because its checkout is closed now.
 * @returns whether this call released the hold.
 */
export async function releaseHold(
  { sql }: Pick<Context, 'sql'>,
  holdId: string,
  reason: ReleaseReason,
): Promise<boolean> {
  const rows = await sql<{ id: string }>(
    'release-hold',
    `WITH released AS (
       UPDATE "Hold" SET "state" = 'released', "reason" = :reason, "settledAt" = now()
        WHERE "id" = :holdId AND "state" = 'held' RETURNING "id", "dropId", "valueId", "codeId", "earlyLinkId", "quantity"
     ), freed AS (
       UPDATE "Drop" d SET ${stockSql.release('r."quantity"')}, ${earlySql.release(earlyUnitsOf('r'))} FROM released r WHERE d."id" = r."dropId"
       RETURNING d."id", r."valueId", r."codeId", r."quantity"
     ), value AS (
       UPDATE "OptionValue" v SET ${valueSql.release('f."quantity"')} FROM freed f WHERE v."id" = f."valueId"
     ), code AS (
       UPDATE "DiscountCode" c SET ${codeSql.release} FROM freed f WHERE c."id" = f."codeId"
     ), closed AS (
       UPDATE "Hold" SET "reason" = :reason WHERE "id" = :holdId AND "state" = 'released' AND "reason" = 'yielded'
     ), expired AS (
       UPDATE "Order" o SET "status" = 'expired' FROM released r WHERE o."holdId" = r."id" AND o."status" = 'pending'
       RETURNING o."id"
     )
     SELECT r."id" FROM released r, freed`,
    { holdId, reason },
  )
  if (rows.length > 0 && (reason === 'yielded' || reason === 'expired')) countHold(reason)
  return rows.length > 0
}
