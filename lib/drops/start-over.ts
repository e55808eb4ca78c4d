import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Restarts the full running time of a drop from now, because a review hid it from its creation until it was approved.
 * Runs in the caller's transaction, with the row locked.
 */
export async function startOver(tx: Context, dropId: number): Promise<void> {
  await tx.sql(
    'start-drop-over',
    `WITH started AS (
       UPDATE "Drop" SET "startedAt" = now(), "endTime" = now() + "duration" * interval '1 hour', "updatedAt" = now()
        WHERE "id" = :dropId RETURNING "id", "run", "startedAt", "endTime"
     )
     UPDATE "DropRun" r SET "startedAt" = s."startedAt", "endTime" = s."endTime"
       FROM started s WHERE r."dropId" = s."id" AND r."run" = s."run"`,
    { dropId },
  )
}
