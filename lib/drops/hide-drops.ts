import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'

/**
 * Ends drops and hides them from everyone except administrators, in the caller's transaction. Every way to hide a drop
 * uses this function: by its seller, by the rejection of a review, by an administrator, or because an account is
 * closed. Orders keep their drop. A hidden drop is not promoted or renewed, and queued reminders of its start are not
 * sent. Its idempotency key is removed, so that sending the same create form again creates a new drop. Lock the rows
 * first. The caller checks the permission.
 */
export async function hideDrops(tx: Context, dropIds: readonly number[]): Promise<void> {
  await tx.sql(
    'hide-drops',
    `WITH noted AS (
       INSERT INTO "RunChange" ("dropId", "run", "reason", "authorId", "endBefore", "endAfter")
       SELECT "id", "run", 'withdrawn', :authorId::int, "endTime", now() FROM "Drop"
        WHERE "id" = ANY(:dropIds::int[]) AND "archivedAt" IS NULL AND "endTime" > now()
     ), hidden AS (
       UPDATE "Drop" SET "hiddenAt" = COALESCE("hiddenAt", now()), "archivedAt" = COALESCE("archivedAt", now()),
              "isActive" = false, "isFeatured" = false, "isPinned" = false, "creationKey" = NULL, "updatedAt" = now()
        WHERE "id" = ANY(:dropIds::int[]) RETURNING "id"
     )
     UPDATE "DropRun" r SET "renewDueAt" = NULL FROM hidden WHERE r."dropId" = hidden."id" AND r."renewDueAt" IS NOT NULL`,
    { dropIds, authorId: tx.actor.kind === 'user' ? tx.actor.userId : null },
  )
  await recallStartMails(tx, dropIds)
}
