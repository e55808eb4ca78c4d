import 'server-only'
import type { Database } from '@/lib/infra/db'

/** Fewer rows than this are summed in no time. */
const FEW = 200
const BATCH = 50_000

/**
 * Folds what the triggers have noted for the stat cards into one row a name. One statement takes and gives, so that a reader
 * sees either all of it before or all of it after.
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
