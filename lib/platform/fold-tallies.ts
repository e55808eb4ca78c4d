import 'server-only'
import type { Database } from '@/lib/infra/db'

/** Up to this many rows are not merged, because they can be summed quickly anyway. */
const FEW = 200
const BATCH = 50_000

/**
 * Merges the rows that triggers have written for the statistics, up to 50,000 at a time, into one row per name. One
 * statement deletes and inserts, so that a reader sees either the old rows or the merged ones.
 */
export async function foldTallies({ sql }: Database): Promise<void> {
  for (;;) {
    const [row] = await sql<{ taken: number }>(
      'fold-tallies',
      `WITH taken AS (
         DELETE FROM "Tally" WHERE "id" IN (
           SELECT "id" FROM "Tally" WHERE (SELECT count(*) FROM (SELECT FROM "Tally" LIMIT ${FEW + 1}) few) > ${FEW}
            LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING "name", "amount"
       ), given AS (
         INSERT INTO "Tally" ("name", "amount") SELECT "name", sum("amount") FROM taken GROUP BY "name"
       )
       SELECT count(*)::int AS "taken" FROM taken`,
    )
    if ((row?.taken ?? 0) < BATCH) return
  }
}
