import 'server-only'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { dropSql } from '@/lib/drops/drop-sql'
import type { Context } from '@/lib/infra/context'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { releaseHold } from './release-hold'
import { CONTESTED_HOLD_MS, SURE_MS } from '../rules'

/**
 * SQL: when the buyer could begin to pay, which is when the hold was taken or when the wait in line ended (ADR 0052).
 */
const PAYABLE_SINCE = `GREATEST(h."createdAt", h."openingSince")`

/** SQL: whether a hold `h` may be yielded: its buyer's network is known, and the buyer does not wait in line. */
const MAY_YIELD = `h."state" = 'held' AND h."originKey" IS NOT NULL AND h."opensAt" IS NULL`

/**
 * Puts units back on sale where more than half of the unsold units are unpaid (docs/product.md#when-many-buy-at-once).
 * Once that has lasted almost a minute, the oldest contested holds are yielded. Other holds follow when they are ten
 * minutes old. The checkouts stay open, and a buyer who pays while units are left gets them. Holds whose buyer still
 * waits in line keep their units. The minute is counted for the drop or the value and not for each hold. Otherwise a
 * person who replaces every hold before it is a minute old could keep the units forever. A hold that cannot be yielded
 * does not keep the others.
 * @returns how many holds were yielded.
 * @throws the first error, after the other holds were yielded, and at once when the database is unavailable
 */
export async function yieldHolds(ctx: Context): Promise<number> {
  const failed = new Map<string, unknown>()
  let yielded = 0
  // The values of options follow the drops, because one value can be scarce while the drop has many other units. So can
  // the uses of a discount code.
  for (const scope of [ofDrops, ofValues, ofCodes]) yielded += await yieldOf(ctx, scope, failed)
  for (const [holdId, error] of failed) ctx.log.error({ holdId, cause: String(error) }, 'this hold was not yielded')
  if (failed.size > 0) throw [...failed.values()][0]
  return yielded
}

/**
 * The rows whose stock is examined: drops, the values of their options, or their discount codes. The fields are parts
 * of SQL over a hold `h`.
 */
type Scope = {
  name: 'drop' | 'value' | 'code'
  /** The table with the stock, its alias, and the column of a hold that refers to it. */
  table: string
  row: 'd' | 'v' | 'c'
  key: string
  /** How much of the stock the hold keeps. */
  kept: string
  sql: { excess: string; contestedSince: (time: string) => string }
}

const ofDrops: Scope = { name: 'drop', table: '"Drop"', row: 'd', key: '"dropId"', kept: 'h."quantity"', sql: stockSql }
const ofValues: Scope = {
  name: 'value',
  table: '"OptionValue"',
  row: 'v',
  key: '"valueId"',
  kept: 'h."quantity"',
  sql: valueSql,
}
const ofCodes: Scope = {
  name: 'code',
  table: '"DiscountCode"',
  row: 'c',
  key: '"codeId"',
  kept: '1',
  sql: codeSql,
}

/** The joins from a hold `h` to its drop and, for values and codes, to its value or code. */
const stockOf = ({ table, row, key }: Scope) =>
  `JOIN "Drop" d ON d."id" = h."dropId"${row === 'd' ? '' : ` JOIN ${table} ${row} ON ${row}."id" = h.${key}`}`

/** How often one run looks again for holds that were taken while it yielded others. */
const MOST_ROUNDS = 5

/**
 * Yields holds until at most half of the unsold units are unpaid. Others may take units again while the holds are
 * yielded one by one. Without a second round, the drop would stay contested, and the next minute would begin.
 * @param failed the errors of the holds that could not be yielded, to which further ones are added
 * @returns how many holds were yielded.
 */
async function yieldOf(ctx: Context, scope: Scope, failed: Map<string, unknown>): Promise<number> {
  await noteContested(ctx, scope)
  let yielded = 0
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const due = (await listHoldsToYield(ctx, scope)).filter(({ id }) => !failed.has(id))
    if (due.length === 0) break
    for (const { id } of due) {
      try {
        if (await releaseHold(ctx, id, 'yielded')) yielded += 1
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        failed.set(id, error)
      }
    }
  }
  return yielded
}

/** Lists the holds to yield, the oldest first, so that at most half of the unsold units are unpaid afterwards. */
function listHoldsToYield(ctx: Context, scope: Scope): Promise<{ id: string }[]> {
  const { name, row, key, kept, sql } = scope
  return ctx.sql<{ id: string }>(
    `${name}-holds-to-yield`,
    `WITH due AS (
       SELECT h."id", ${sql.excess} AS "excess",
              sum(${kept}) OVER (PARTITION BY h.${key} ORDER BY h."isContested" DESC, h."createdAt", h."id")
                - ${kept} AS "before"
         FROM "Hold" h ${stockOf(scope)} JOIN "User" u ON u."id" = d."userId"
        WHERE (${dropSql.isLive} OR ${dropSql.isOpenEarly}) AND ${MAY_YIELD} AND ${sql.excess} > 0
          AND (${PAYABLE_SINCE} <= now() - make_interval(secs => :contestedMs::float8 / 1000)
               OR h."isContested" AND ${row}."contestedSince" <= now() - make_interval(secs => :sureMs::float8 / 1000))
     )
     SELECT "id" FROM due WHERE "before" < "excess"`,
    { contestedMs: CONTESTED_HOLD_MS, sureMs: SURE_MS },
  )
}

/**
 * Records since when each drop, value or code has been contested, and clears that time when it is no longer contested.
 * The time is that of the oldest contested hold, and it stays when another hold replaces that one. When contested holds
 * have been yielded, a new minute begins, so that the next buyers of those units have the whole minute.
 */
async function noteContested(ctx: Context, scope: Scope): Promise<void> {
  const { name, table, row, key, sql } = scope
  const contested = await ctx.sql<{ id: number; since: Date }>(
    `contested-${name}s`,
    `SELECT ${row}."id", GREATEST(oldest."since", y."at") AS "since"
       FROM (SELECT h."dropId", h.${key} AS "key", min(${PAYABLE_SINCE}) AS "since" FROM "Hold" h
              WHERE ${MAY_YIELD} AND h."isContested" AND h.${key} IS NOT NULL GROUP BY 1, 2) oldest
       JOIN "Drop" d ON d."id" = oldest."dropId"${row === 'd' ? '' : ` JOIN ${table} ${row} ON ${row}."id" = oldest."key"`},
       LATERAL (SELECT max(h."settledAt") AS "at" FROM "Hold" h
                 WHERE h.${key} = ${row}."id" AND h."run" = d."run" AND h."state" = 'released' AND h."reason" = 'yielded'
                   AND h."isContested" AND h."originKey" IS NOT NULL) y
      WHERE ${sql.excess} > 0 AND (${row}."contestedSince" IS NULL OR ${row}."contestedSince" < y."at")`,
  )
  // Each row has its own statement, because one statement for several rows would have to lock them in the order of
  // their ids.
  for (const { id, since } of contested)
    await ctx.sql(`note-contested-${name}`, noteSql(scope, ':since'), { id, since })
  const over = await ctx.sql<{ id: number }>(
    `contests-over-${name}s`,
    `SELECT ${row}."id" FROM ${table} ${row} WHERE ${row}."contestedSince" IS NOT NULL AND ${sql.excess} <= 0`,
  )
  for (const { id } of over) await ctx.sql(`note-uncontested-${name}`, noteSql(scope, 'NULL'), { id })
}

const noteSql = ({ table, row, sql }: Scope, time: string) =>
  `UPDATE ${table} ${row} SET ${sql.contestedSince(time)} WHERE ${row}."id" = :id`
