import 'server-only'
import type { Context } from '@/lib/infra/context'
import { countHold } from '@/lib/infra/metrics'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'

/**
 * `stripe-away`: Stripe may have opened the checkout all the same, so the same buyer may resume it. `yielded`: too many
 * units were unpaid; the checkout can still be paid while units are left (docs/product.md#when-many-buy-at-once).
 */
export type ReleaseReason = 'expired' | 'cancelled' | 'restarted' | 'yielded' | 'stripe-away' | 'stripe-refused'

/**
 * Releases held units once. A hold that is sold or released already is left unchanged, but one that had yielded its units
 * takes the new reason, because its checkout is closed now.
 * @returns whether this call released it.
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
        WHERE "id" = :holdId AND "state" = 'held' RETURNING "id", "dropId", "valueId", "codeId", "quantity"
     ), freed AS (
       UPDATE "Drop" d SET ${stockSql.release('r."quantity"')} FROM released r WHERE d."id" = r."dropId"
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
