import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
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
  const holds = [
    ...(await yieldOf(ctx, ofDrops)),
    // Then those of single values that are still contested: they can be scarce while the drop has many others.
    ...(await yieldOf(ctx, ofValues)),
  ]
  return holds.length
}

/** Whose units are compared: those of drops, or those of the values of their options, as SQL over a hold `h`. */
type Whose = {
  name: 'drop' | 'value'
  /** The table with the stock, its alias, and the column of a hold that refers to it. */
  table: string
  row: 'd' | 'v'
  key: string
  sql: { excess: string }
}

const ofDrops: Whose = { name: 'drop', table: '"Drop"', row: 'd', key: '"dropId"', sql: stockSql }
const ofValues: Whose = { name: 'value', table: '"OptionValue"', row: 'v', key: '"valueId"', sql: valueSql }

/** The drop of a hold `h` and, for values, its value. */
const stockOf = ({ table, row, key }: Whose) =>
  `JOIN "Drop" d ON d."id" = h."dropId"${row === 'd' ? '' : ` JOIN ${table} ${row} ON ${row}."id" = h.${key}`}`

/** @returns the holds that gave their units back. */
async function yieldOf(ctx: Context, whose: Whose): Promise<string[]> {
  const { name, row, key, sql } = whose
  await noteContested(ctx, whose)
  const due = await ctx.sql<{ id: string }>(
    `${name}-holds-to-yield`,
    `WITH due AS (
       SELECT h."id", h."quantity", ${sql.excess} AS "excess",
              sum(h."quantity") OVER (PARTITION BY h.${key} ORDER BY h."isContested" DESC, h."createdAt", h."id")
                - h."quantity" AS "before"
         FROM "Hold" h ${stockOf(whose)} JOIN "User" u ON u."id" = d."userId"
        WHERE ${LIVE_DROP} AND ${MAY_YIELD} AND ${sql.excess} > 0
          AND (${PAYABLE_SINCE} <= now() - make_interval(secs => :contestedMs::float8 / 1000)
               OR h."isContested" AND ${row}."contestedSince" <= now() - make_interval(secs => :sureMs::float8 / 1000))
     )
     SELECT "id" FROM due WHERE "before" < "excess"`,
    { contestedMs: CONTESTED_HOLD_MS, sureMs: SURE_MS },
  )
  const yielded: string[] = []
  for (const { id } of due) if (await releaseHold(ctx, id, 'yielded')) yielded.push(id)
  return yielded
}

/**
 * Records since when each drop, or value, has been contested, and clears that time when it no longer is. The time is that of
 * the oldest contested hold, and it stays when that hold is replaced by another one. When contested holds have given units
 * back, a new minute begins, so that whoever took those units has the whole minute.
 */
async function noteContested(ctx: Context, whose: Whose): Promise<void> {
  const { name, table, row, key, sql } = whose
  const contested = await ctx.sql<{ id: number; since: Date }>(
    `contested-${name}s`,
    `SELECT ${row}."id", GREATEST(c."since", y."at") AS "since"
       FROM (SELECT h."dropId", h.${key} AS "key", min(${PAYABLE_SINCE}) AS "since" FROM "Hold" h
              WHERE ${MAY_YIELD} AND h."isContested" AND h.${key} IS NOT NULL GROUP BY 1, 2) c
       JOIN "Drop" d ON d."id" = c."dropId"${row === 'd' ? '' : ` JOIN ${table} ${row} ON ${row}."id" = c."key"`},
       LATERAL (SELECT max(h."settledAt") AS "at" FROM "Hold" h
                 WHERE h.${key} = ${row}."id" AND h."run" = d."run" AND h."state" = 'released' AND h."reason" = 'yielded'
                   AND h."isContested" AND h."originKey" IS NOT NULL) y
      WHERE ${sql.excess} > 0 AND (${row}."contestedSince" IS NULL OR ${row}."contestedSince" < y."at")`,
  )
  // One statement for each row: several in one would have to be locked in the order of their ids.
  for (const { id, since } of contested)
    await ctx.sql(`note-contested-${name}`, noteSql(whose, ':since'), { id, since })
  const over = await ctx.sql<{ id: number }>(
    `contests-over-${name}s`,
    `SELECT ${row}."id" FROM ${table} ${row} WHERE ${row}."contestedSince" IS NOT NULL AND ${sql.excess} <= 0`,
  )
  for (const { id } of over) await ctx.sql(`note-uncontested-${name}`, noteSql(whose, 'NULL'), { id })
}

function noteSql({ row }: Whose, time: string): string {
  return row === 'd'
    ? `UPDATE "Drop" d SET ${stockSql.contestedSince(time)} WHERE d."id" = :id`
    : `UPDATE "OptionValue" v SET ${valueSql.contestedSince(time)} WHERE v."id" = :id`
}
