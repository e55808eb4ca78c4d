import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'

/**
 * Ends drops and hides them from everybody, in the caller's transaction. Every way of taking a drop down uses this
 * function (its seller, a review, an administrator, the closing of an account). Orders keep their drop. A hidden drop
 * is not promoted or renewed, reminders of its start that are queued are not sent, and sending its create form again under the same key makes a new drop. Lock the rows
 * first.
 */
export async function hideDrops(tx: Context, dropIds: readonly number[]): Promise<void> {
  await tx.sql(
    'hide-drops',
    `WITH hidden AS (
       UPDATE "Drop" SET "hiddenAt" = COALESCE("hiddenAt", now()), "archivedAt" = COALESCE("archivedAt", now()),
              "isActive" = false, "isFeatured" = false, "isPinned" = false, "creationKey" = NULL, "updatedAt" = now()
        WHERE "id" = ANY(:dropIds::int[]) RETURNING "id"
     )
     UPDATE "DropRun" r SET "renewDueAt" = NULL FROM hidden WHERE r."dropId" = hidden."id" AND r."renewDueAt" IS NOT NULL`,
    { dropIds },
  )
  await recallStartMails(tx, { dropIds })
}
