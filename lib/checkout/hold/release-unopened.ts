import 'server-only'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import type { Context } from '@/lib/infra/context'
import { countHold } from '@/lib/infra/metrics'
import { codeSql } from '@/lib/stock/code-sql'
import { earlySql, earlyUnitsOf } from '@/lib/stock/early-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { IS_UNOPENED, listDropsWithUnopened } from '../queries'

/** How many holds one statement releases, so that it locks the drop's row only for a fraction of a second. */
const AT_ONCE = 1_000

/**
 * Releases the expired holds that Stripe knows nothing about, such as those of buyers who left the line (ADR 0052).
 * Nobody can pay them, so no call is needed, and one statement releases many holds of a drop. It locks the holds first,
 * as releaseHold() does, and skips those that another transaction has locked. A drop whose holds cannot be released
 * does not keep those of other drops.
 * @returns how many holds were released.
 * @throws when the database is unavailable
 */
export async function releaseUnopened(ctx: Context): Promise<number> {
  let total = 0
  for (const { dropId } of await listDropsWithUnopened(ctx)) {
    try {
      total += await releaseOf(ctx, dropId)
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      ctx.log.error({ dropId, cause: String(error) }, 'the expired holds of this drop could not be released')
    }
  }
  for (let counted = 0; counted < total; counted += 1) countHold('expired')
  return total
}

async function releaseOf(ctx: Context, dropId: number): Promise<number> {
  let total = 0
  let released: number
  do {
    released = (await ctx.sql('release-unopened', RELEASE_UNOPENED, { dropId, limit: AT_ONCE })).length
    total += released
  } while (released === AT_ONCE)
  return total
}

const RELEASE_UNOPENED = `
  WITH due AS MATERIALIZED (
    SELECT h."id" FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
     WHERE h."dropId" = :dropId AND h."state" = 'held' AND h."expiresAt" <= now() AND ${IS_UNOPENED}
     ORDER BY h."expiresAt" LIMIT :limit FOR UPDATE OF h SKIP LOCKED
  ), released AS (
    UPDATE "Hold" h SET "state" = 'released', "reason" = 'expired', "settledAt" = now() FROM due WHERE h."id" = due."id"
    RETURNING h."id", h."dropId", h."valueId", h."codeId", h."earlyLinkId", h."quantity"
  ), freed AS (
    UPDATE "Drop" d SET ${stockSql.release('r."quantity"')}, ${earlySql.release('r."early"')}
      FROM (SELECT "dropId", sum("quantity")::int AS "quantity", sum(${earlyUnitsOf('released')})::int AS "early"
              FROM released GROUP BY 1) r WHERE d."id" = r."dropId"
    RETURNING d."id"
  ), value AS (
    UPDATE "OptionValue" v SET ${valueSql.release('r."quantity"')}
      FROM (SELECT released."valueId", sum(released."quantity")::int AS "quantity" FROM released, freed GROUP BY 1) r
     WHERE v."id" = r."valueId"
  ), code AS (
    UPDATE "DiscountCode" c SET ${codeSql.releaseSome('r."uses"')}
      FROM (SELECT released."codeId", count(*)::int AS "uses" FROM released, freed GROUP BY 1) r WHERE c."id" = r."codeId"
  ), expired AS (
    UPDATE "Order" o SET "status" = 'expired' FROM released r WHERE o."holdId" = r."id" AND o."status" = 'pending'
  )
  SELECT "id" FROM released`
