import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Extends drops in the caller's transaction, including those that have ended: they are live again when their new end
 * lies in the future. Lock the rows first, sorted by id, to avoid a deadlock.
 */
export async function extendDrops(tx: Context, dropIds: readonly number[], hours: number): Promise<void> {
  await tx.sql(
    'extend-drops',
    `WITH extended AS (
       UPDATE "Drop" SET "endTime" = "endTime" + make_interval(hours => :hours::int), "isActive" = true,
              "archivedAt" = NULL, "updatedAt" = now()
        WHERE "id" = ANY(:dropIds::int[])
       RETURNING "id", "run", "endTime"
     )
     UPDATE "DropRun" r SET "endTime" = e."endTime", "renewDueAt" = NULL
       FROM extended e WHERE r."dropId" = e."id" AND r."run" = e."run"`,
    { dropIds, hours },
  )
}
