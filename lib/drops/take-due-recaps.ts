import 'server-only'
import type { Context } from '@/lib/infra/context'

type DueRun = { dropId: number; run: number }

/**
 * Takes runs that have ended and whose recap is due, and marks their recaps as taken. Runs that another process has
 * locked are left to it. Call it in the transaction that queues the emails.
 * @returns at most `limit` runs
 */
export function takeDueRecaps({ sql }: Pick<Context, 'sql'>, limit: number): Promise<DueRun[]> {
  return sql<DueRun>(
    'due-recaps',
    `WITH due AS (
       SELECT "id" FROM "DropRun" WHERE "recapDueAt" <= now()
        ORDER BY "recapDueAt", "id" LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE "DropRun" r SET "recapDueAt" = NULL FROM due WHERE r."id" = due."id" RETURNING r."dropId", r."run"`,
    { limit },
  )
}
