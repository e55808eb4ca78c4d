import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import type { Database } from '@/lib/infra/db'
import { refundSql } from '@/lib/stock/refund-sql'
import { stockSql } from '@/lib/stock/stock-sql'
import { dropSql } from '../drop-sql'
import { MAX_LISTED_CHANGES, MAX_LISTED_RUNS } from './history-rules'
import { type HistoryRow, type PastRunRow, type PastRunView, toRunChange, toRunView } from './history-view'
import { findPublicDrop } from '../queries'
import type { DropRow } from '../view'

/** How many milliseconds the end moved with change `c`. */
const END_MS = `COALESCE(round(extract(epoch FROM c."endAfter" - c."endBefore") * 1000), 0)::float8`

/**
 * The fields of a RunChange (history-view.ts) for change `c` of drop `d`, as SQL. For a group of changes, `sum` adds up
 * an amount over the group, `values` lists the values that changed, `at` is when the group's last change was made, and
 * `endMs` is how far the group moved the end.
 */
const changeSql = (
  sum: (amount: string) => string,
  values: string,
  at: string,
  endMs = sum(END_MS),
) => `'reason', c."reason", 'at', ${at},
  'by', CASE WHEN c."authorId" = d."userId" THEN 'seller' ELSE 'platform' END,
  'startMs', ${sum(`COALESCE(round(extract(epoch FROM c."startAfter" - c."startBefore") * 1000), 0)::float8`)},
  'endMs', ${endMs},
  'units', ${sum(`COALESCE(c."unitsAfter" - c."unitsBefore", 0)`)},
  'startMoves', ${sum(`num_nonnulls(c."startAfter")`)},
  'endMoves', ${sum(`num_nonnulls(c."endAfter")`)},
  'unitMoves', ${sum(`num_nonnulls(c."unitsAfter")`)},
  'optionName', d."optionName", 'values', ${values}`

/**
 * The sums over all changes with the same reason and author. Times and units are added up. Of several early ends only
 * the last counts, because a restoration undid those before.
 */
const CHANGES_TOGETHER = changeSql(
  (amount) => `sum(${amount})`,
  'json_agg(c."values" ORDER BY c."id")',
  'max(c."at")',
  `CASE WHEN c."reason" IN ('ended', 'withdrawn') THEN (array_agg(${END_MS} ORDER BY c."id" DESC))[1] ELSE sum(${END_MS}) END`,
)

/**
 * How many of the units that run `r` has sold were refunded in full. Units that are on sale again count neither as sold
 * nor as refunded.
 */
const REFUNDED = `COALESCE((
  SELECT sum(LEAST(h."quantity", GREATEST(0, ${refundSql.prices('o')} - (o."quantity" - h."quantity"))))
    FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
   WHERE o."dropId" = r."dropId" AND o."refundedCents" > 0 AND h."run" = r."run" AND h."state" = 'sold'), 0)::int`

/**
 * How many units of run `r` followers bought before its public start, and how many minutes they had. NULL when they
 * bought none: only a sale proves that early access was open (docs/product.md#early-access).
 */
const earlySales = (r: string) => `CASE WHEN ${r}."earlyMinutes" IS NOT NULL THEN (
  SELECT json_build_object('minutes', ${r}."earlyMinutes", 'sold', sum(h."quantity"))
    FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
   WHERE o."dropId" = ${r}."dropId" AND o."isEarly" AND h."run" = ${r}."run" AND h."state" = 'sold' HAVING sum(h."quantity") > 0) END`

const RUN = `'run', r."run", 'quantity', r."quantity", 'sold', r."sold", 'refunded', ${REFUNDED},
  'startedAt', r."startedAt", 'soldOutAt', r."soldOutAt", 'early', ${earlySales('r')}`

/**
 * When run `r` ended or will end. If its announced end is recorded, this is that end plus all recorded moves `moved`.
 * Otherwise only its last end is known.
 */
const runEnd = (moved: string) => `COALESCE(r."firstEndTime" + ${moved}, r."endTime")`
const MOVED = `COALESCE(sum(c."endAfter" - c."endBefore"), interval '0')`

/** Whether auto-renew may start another run after the current or scheduled run, as far as is known now. */
export const MAY_RETURN = `d."endTime" > now() AND d."archivedAt" IS NULL AND d."isActive" AND u."autoRenewDrops" AND NOT ${SUSPENDED}
  AND d."moderation" = 'allowed' AND ${dropSql.hasTypeOfPlan} AND ${dropSql.hasUnitsForNextRun}
  AND NOT (SELECT count(*) = 2 FROM "DropRun" r
            WHERE r."dropId" = d."id" AND r."run" IN (d."run", d."run" - 1) AND r."isAutoRenew")`

/**
 * Reads what is recorded about a drop's runs. This is a separate statement, so that checkouts, which need only
 * findPublicDrop(), do not wait for it.
 * @param row.returnsAt the planned return of a drop that has ended
 */
async function findHistory({ sql }: Database, row: DropRow): Promise<HistoryRow> {
  const [found] = await sql<Omit<HistoryRow, 'isReturnSure'> & { isSelling: boolean }>(
    'drop-history',
    `SELECT COALESCE(n."firstEndTime" IS NOT NULL, false) AS "isRecorded", COALESCE(n."sold", d."sold") AS "sold",
            ${earlySales('n')} AS "early",
            CASE WHEN ${MAY_RETURN} THEN d."endTime" + interval '24 hours' END AS "returnsAt",
            d."productType" <> 'physical' AND d."keysGiven" IS NULL AND ${stockSql.hasSold} AS "isSelling",
            CASE WHEN d."run" > 1 THEN (
              SELECT json_build_object(${RUN}, 'endTime', ${runEnd(`(
                       SELECT ${MOVED} FROM "RunChange" c WHERE c."dropId" = r."dropId" AND c."run" = r."run")`)}) FROM "DropRun" r
               WHERE r."dropId" = d."id" AND r."run" = d."run" - 1) END AS "previous",
            (SELECT json_agg(s."change" ORDER BY s."first") FROM (
               SELECT json_build_object(${CHANGES_TOGETHER}) AS "change", min(c."id") AS "first"
                 FROM "RunChange" c WHERE c."dropId" = d."id" AND c."run" = d."run"
                GROUP BY c."reason", CASE WHEN c."authorId" = d."userId" THEN 'seller' ELSE 'platform' END) s) AS "changes"
       FROM "Drop" d JOIN "User" u ON u."id" = d."userId"
       LEFT JOIN "DropRun" n ON n."dropId" = d."id" AND n."run" = d."run" WHERE d."id" = :dropId`,
    { dropId: row.id },
  )
  if (!found)
    return {
      isRecorded: false,
      sold: row.sold,
      previous: null,
      returnsAt: null,
      isReturnSure: false,
      changes: null,
      early: null,
    }
  const { isSelling, ...facts } = found
  // Once a drop has ended, its return no longer depends on further sales.
  return { ...facts, returnsAt: facts.returnsAt ?? row.returnsAt, isReturnSure: isSelling || row.returnsAt !== null }
}

/** Finds a drop as findPublicDrop() does, and adds its history. */
export async function findShownDrop(database: Database, identifier: string): Promise<DropRow | null> {
  const row = await findPublicDrop(database, identifier)
  return row && { ...row, history: await findHistory(database, row) }
}

/** Lists the newest runs of a drop, the newest first, each with its newest changes. */
export async function listRuns({ sql }: Database, dropId: number): Promise<PastRunView[]> {
  const rows = await sql<{ view: PastRunRow }>(
    'drop-runs',
    `SELECT json_build_object(${RUN}, 'isAutoRenew', r."isAutoRenew", 'firstEndTime', r."firstEndTime",
              'endTime', ${runEnd('c."moved"')},
              'changes', COALESCE(c."changes", '[]'::json), 'changeCount', c."count") AS "view"
       FROM "Drop" d JOIN "DropRun" r ON r."dropId" = d."id", LATERAL (
         SELECT count(*)::int AS "count", ${MOVED} AS "moved",
                json_agg(json_build_object(${changeSql((amount) => amount, 'json_build_array(c."values")', 'c."at"')}) ORDER BY c."id")
                  FILTER (WHERE c."place" <= ${MAX_LISTED_CHANGES}) AS "changes"
           FROM (SELECT *, row_number() OVER (ORDER BY "id" DESC) AS "place" FROM "RunChange"
                  WHERE "dropId" = d."id" AND "run" = r."run") c) c
      WHERE d."id" = :dropId ORDER BY r."run" DESC LIMIT ${MAX_LISTED_RUNS}`,
    { dropId },
  )
  return rows.map(({ view: { changeCount, ...run } }) => ({
    ...toRunView(run),
    firstEndTime: run.firstEndTime && new Date(run.firstEndTime).toISOString(),
    changes: run.changes.map(toRunChange),
    olderChanges: changeCount - run.changes.length,
  }))
}

/** A run as its seller exports it. Times are ISO strings in UTC. */
type ExportedRun = Record<'dropId' | 'run' | 'quantity' | 'sold', number> & {
  startedAt: string
  endTime: string
  soldOutAt: string | null
  isAutoRenew: boolean
}

/** Lists every run of a seller's drops, in the sequence of the drops and their runs, for the export. */
export async function listSellerRuns({ sql }: Database, sellerId: number): Promise<ExportedRun[]> {
  const rows = await sql<{ run: ExportedRun }>(
    'runs-of-seller',
    `SELECT json_build_object('dropId', r."dropId", 'run', r."run", 'quantity', r."quantity", 'sold', r."sold",
              'startedAt', r."startedAt", 'endTime', r."endTime", 'soldOutAt', r."soldOutAt",
              'isAutoRenew', r."isAutoRenew") AS "run"
       FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId" WHERE d."userId" = :sellerId ORDER BY r."dropId", r."run"`,
    { sellerId },
  )
  return rows.map(({ run }) => run)
}
