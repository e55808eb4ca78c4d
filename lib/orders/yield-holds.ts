import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { stockSql } from '@/lib/stock/stock-sql'
import { releaseHold } from './release-hold'
import { CONTESTED_HOLD_MS, SURE_MS } from './rules'

/** When the buyer could begin to pay: at once, or after waiting in line for the payment page (ADR 0052). */
const payableSince = (hold: string) => `GREATEST(${hold}."createdAt", ${hold}."openingSince")`

/**
 * Puts units back on sale where more than half of the unsold ones have been unpaid for almost a minute: first those of
 * the oldest contested holds, then those of other holds that are ten minutes old. Their checkouts stay open, and who pays
 * while units are left gets them (docs/product.md#when-many-buy-at-once).
 * Holds whose buyer still waits in line keep their units.
 * @returns how many holds gave their units back.
 */
export async function yieldHolds(ctx: Context): Promise<number> {
  const due = await ctx.sql<{ id: string }>(
    'holds-to-yield',
    `WITH due AS (
       SELECT h."id", h."dropId", h."quantity", ${stockSql.excess} AS "excess",
              sum(h."quantity") OVER (PARTITION BY h."dropId" ORDER BY h."isContested" DESC, h."createdAt", h."id")
                - h."quantity" AS "before"
         FROM "Hold" h JOIN "Drop" d ON d."id" = h."dropId" JOIN "User" u ON u."id" = d."userId"
        WHERE ${LIVE_DROP} AND h."state" = 'held' AND h."originKey" IS NOT NULL AND h."opensAt" IS NULL AND ${stockSql.excess} > 0
          AND (${payableSince('h')} <= now() - make_interval(secs => :contestedMs::float8 / 1000)
               OR h."isContested" AND EXISTS (
                 SELECT 1 FROM "Hold" x WHERE x."dropId" = h."dropId" AND x."state" = 'held' AND x."isContested"
                    AND x."opensAt" IS NULL
                    AND ${payableSince('x')} <= now() - make_interval(secs => :sureMs::float8 / 1000)))
     )
     SELECT "id" FROM due WHERE "before" < "excess"`,
    { contestedMs: CONTESTED_HOLD_MS, sureMs: SURE_MS },
  )
  let yielded = 0
  for (const { id } of due) if (await releaseHold(ctx, id, 'yielded')) yielded += 1
  return yielded
}
