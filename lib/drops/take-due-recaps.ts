import 'server-only'
import type { Context } from '@/lib/infra/context'

type DueRun = { id: number; dropId: number; run: number }

/**
 * Takes runs that have ended and whose recap is due, and marks their recaps as taken. Runs that another process has
 * locked are left to it. Call it in the transaction that queues the emails.
 * @param except the ids of runs that are left out
 * @returns at most `limit` runs
 */
export function takeDueRecaps(
  { sql }: Pick<Context, 'sql'>,
  { limit, except }: { limit: number; except: readonly number[] },
): Promise<DueRun[]> {
  return sql<DueRun>(
    'due-recaps',
    `WITH due AS (
       SELECT "id" FROM "DropRun" WHERE "recapDueAt" <= now() AND "id" <> ALL(:except::int[])
        ORDER BY "recapDueAt", "id" LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE "DropRun" r SET "recapDueAt" = NULL FROM due WHERE r."id" = due."id" RETURNING r."id", r."dropId", r."run"`,
    { limit, except },
  )
}
