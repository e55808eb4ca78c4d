import 'server-only'
import type { Database, Db } from '@/lib/infra/db'
import { refundSql } from '@/lib/stock/refund-sql'
import type { EditionRunView, EditionView } from './edition-view'

/**
 * How many units of order `o` are refunded. The last numbers of an order are retired first. Which numbers are retired
 * is computed from the order's refunds and not stored, so a refund that the bank rejects retires nothing (ADR 0056).
 */
const REFUNDED_UNITS = refundSql.units('o')

/**
 * Whether run `run` of drop `d` has given its last number. The run must have ended, and none of its units may be in
 * checkout, because such units can be paid even after the next run has begun.
 */
const isComplete = (run: string) => `((${run} < d."run" OR d."endTime" <= now())
  AND NOT EXISTS (SELECT 1 FROM "Hold" h WHERE h."dropId" = d."id" AND h."run" = ${run} AND h."state" = 'held'))`

/** A column with the numbers of order `o` as an EditionView, or NULL if the order has none. */
export const EDITION = `(
  SELECT json_build_object('run', n."run", 'numbers', n."numbers",
           'retired', n."numbers"[cardinality(n."numbers") - ${REFUNDED_UNITS} + 1 :],
           'isOpen', d."isOpenEdition",
           'total', CASE WHEN ${isComplete('n."run"')} THEN r."sold" END)
    FROM (SELECT e."dropId", e."run", array_agg(e."number" ORDER BY e."number") AS "numbers" FROM "EditionNumber" e
           WHERE e."orderId" = o."id" GROUP BY e."dropId", e."run") n
    JOIN "Drop" d ON d."id" = n."dropId" JOIN "DropRun" r ON r."dropId" = n."dropId" AND r."run" = n."run")`

/** Returns the numbers of one order, or null if it has none. */
export async function findEdition(db: Db, orderId: string): Promise<EditionView | null> {
  const [row] = await db.$queryRawUnsafe<{ edition: EditionView | null }[]>(
    `SELECT ${EDITION} AS "edition" FROM "Order" o WHERE o."id" = $1`,
    orderId,
  )
  return row?.edition ?? null
}

/** At most this many retired numbers are listed for a run. */
const MAX_LISTED_RETIRED = 500

/**
 * Returns how many numbers each run of a drop has given and which of them are retired, for the newest 100 runs, the
 * newest first.
 */
export function listEditionRuns({ sql }: Database, dropId: number): Promise<EditionRunView[]> {
  return sql<EditionRunView>(
    'edition-runs',
    `SELECT r."run", r."sold" AS "given", ${isComplete('r."run"')} AS "isComplete", ARRAY(
              SELECT e."number" FROM "Order" o JOIN "EditionNumber" e ON e."orderId" = o."id"
               WHERE o."dropId" = :dropId AND o."refundedCents" >= o."unitPriceCents" AND e."dropId" = r."dropId" AND e."run" = r."run"
                 AND e."number" > (SELECT max(m."number") FROM "EditionNumber" m WHERE m."orderId" = o."id") - ${REFUNDED_UNITS}
               ORDER BY e."number" LIMIT ${MAX_LISTED_RETIRED}) AS "retired"
       FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId" WHERE r."dropId" = :dropId ORDER BY r."run" DESC LIMIT 100`,
    { dropId },
  )
}
