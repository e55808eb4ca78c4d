import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'

/**
 * Restarts the full running time of a drop from now, because a review hid it from its creation until it was approved.
 * Those who were reminded before it was hidden hear of this start, too. Runs in the caller's transaction, with the row locked.
 */
export async function startOver(tx: Context, dropId: number): Promise<void> {
  await recallStartMails(tx, { dropIds: [dropId] })
  await tx.sql(
    'start-drop-over',
    `WITH started AS (
       UPDATE "Drop" SET "startedAt" = now(), "endTime" = now() + "duration" * interval '1 hour', "updatedAt" = now()
        WHERE "id" = :dropId RETURNING "id", "run", "startedAt", "endTime"
     ), unreminded AS (
       UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL FROM started s WHERE e."dropId" = s."id" AND e."notifiedRun" = s."run"
     )
     UPDATE "DropRun" r SET "startedAt" = s."startedAt", "endTime" = s."endTime"
       FROM started s WHERE r."dropId" = s."id" AND r."run" = s."run"`,
    { dropId },
  )
}
