import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { stockSql } from '@/lib/stock/stock-sql'
import { releaseHold } from './release-hold'
import { CONTESTED_HOLD_MS, SURE_MS } from './rules'

/** When the buyer could begin to pay: at once, or after waiting in line for the payment page (ADR 0052). */
const PAYABLE_SINCE = `GREATEST(h."createdAt", h."openingSince")`

/** A hold `h` whose units may go back on sale: its buyer's network is known, and the buyer no longer waits in line. */
const MAY_YIELD = `h."state" = 'held' AND h."originKey" IS NOT NULL AND h."opensAt" IS NULL`

/**
 * Puts units back on sale where more than half of the unsold ones are unpaid: first those of the oldest contested holds, once
 * that has lasted almost a minute, then those of other holds that are ten minutes old. Their checkouts stay open, and a
 * buyer who pays while units are left gets them (docs/product.md#when-many-buy-at-once). The minute is counted for the drop
 * and not for each hold: whoever replaces every hold before it is a minute old would otherwise keep the units for good.
 * Holds whose buyer still waits in line keep their units.
 * @returns how many holds gave their units back.
 */
export async function yieldHolds(ctx: Context): Promise<number> {
  await noteContested(ctx)
  const due = await ctx.sql<{ id: string }>(
    'holds-to-yield',
    `WITH due AS (
       SELECT h."id", h."dropId", h."quantity", ${stockSql.excess} AS "excess",
              sum(h."quantity") OVER (PARTITION BY h."dropId" ORDER BY h."isContested" DESC, h."createdAt", h."id")
                - h."quantity" AS "before"
         FROM "Hold" h JOIN "Drop" d ON d."id" = h."dropId" JOIN "User" u ON u."id" = d."userId"
        WHERE ${LIVE_DROP} AND ${MAY_YIELD} AND ${stockSql.excess} > 0
          AND (${PAYABLE_SINCE} <= now() - make_interval(secs => :contestedMs::float8 / 1000)
               OR h."isContested" AND d."contestedSince" <= now() - make_interval(secs => :sureMs::float8 / 1000))
     )
     SELECT "id" FROM due WHERE "before" < "excess"`,
    { contestedMs: CONTESTED_HOLD_MS, sureMs: SURE_MS },
  )
  let yielded = 0
  for (const { id } of due) if (await releaseHold(ctx, id, 'yielded')) yielded += 1
  return yielded
}

/**
 * Records since when each drop has been contested, and clears that time when it no longer is. The time is that of the oldest
 * contested hold, and it stays when that hold is replaced by another one. When contested holds have given units back, a new
 * minute begins, so that whoever took those units has the whole minute.
 */
async function noteContested({ sql }: Context): Promise<void> {
  const contested = await sql<{ dropId: number; since: Date }>(
    'contested-drops',
    `SELECT c."dropId", GREATEST(c."since", y."at") AS "since"
       FROM (SELECT h."dropId", min(${PAYABLE_SINCE}) AS "since" FROM "Hold" h
              WHERE ${MAY_YIELD} AND h."isContested" GROUP BY h."dropId") c
       JOIN "Drop" d ON d."id" = c."dropId",
       LATERAL (SELECT max(h."settledAt") AS "at" FROM "Hold" h
                 WHERE h."dropId" = d."id" AND h."run" = d."run" AND h."state" = 'released' AND h."reason" = 'yielded'
                   AND h."isContested" AND h."originKey" IS NOT NULL) y
      WHERE ${stockSql.excess} > 0 AND (d."contestedSince" IS NULL OR d."contestedSince" < y."at")`,
  )
  // One statement for each drop: several rows in one would have to be locked in the order of their ids.
  for (const { dropId, since } of contested) {
    const note = `UPDATE "Drop" d SET ${stockSql.contestedSince(':since')} WHERE d."id" = :dropId`
    await sql('note-contested', note, { dropId, since })
  }
  const over = await sql<{ id: number }>(
    'contests-over',
    `SELECT d."id" FROM "Drop" d WHERE d."contestedSince" IS NOT NULL AND ${stockSql.excess} <= 0`,
  )
  for (const { id } of over) {
    const note = `UPDATE "Drop" d SET ${stockSql.contestedSince('NULL')} WHERE d."id" = :id`
    await sql('note-uncontested', note, { id })
  }
}
