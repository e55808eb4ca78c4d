import 'server-only'
import type { Context } from '@/lib/infra/context'
import { forgetStartMails, recallStartMails } from '@/lib/notifications/recall-start-mails'

/**
 * Restarts the full running time of a drop from now, because a review has hidden the drop for all of its running time
 * so far. People who were reminded of the old start are reminded of this start, too. The ends of its discount codes
 * move with the start, so that no code is over before anyone could use it. Call it in a transaction in which the drop's
 * row is locked.
 * @returns whether the end of a code moved
 */
export async function restartRun(tx: Context, dropId: number): Promise<boolean> {
  await recallStartMails(tx, [dropId])
  await forgetStartMails(tx, dropId)
  const [started] = await tx.sql<{ codes: number }>(
    'start-drop-over',
    `WITH before AS (
       SELECT "id", "startedAt", "endTime" FROM "Drop" WHERE "id" = :dropId
     ), started AS (
       UPDATE "Drop" d SET "startedAt" = now(), "endTime" = now() + d."duration" * interval '1 hour', "updatedAt" = now()
         FROM before b WHERE d."id" = b."id"
       RETURNING d."id", d."run", d."startedAt", d."endTime", b."startedAt" AS "startBefore", b."endTime" AS "endBefore"
     ), noted AS (
       INSERT INTO "RunChange" ("dropId", "run", "reason", "authorId", "startBefore", "startAfter", "endBefore", "endAfter")
       SELECT "id", "run", 'reviewed', :authorId::int, "startBefore", "startedAt", "endBefore", "endTime" FROM started
     ), runs AS (
       UPDATE "DropRun" r SET "startedAt" = s."startedAt", "endTime" = s."endTime"
         FROM started s WHERE r."dropId" = s."id" AND r."run" = s."run"
     ), codes AS (
       UPDATE "DiscountCode" c SET "endsAt" = c."endsAt" + (s."startedAt" - s."startBefore") FROM started s
        WHERE c."dropId" = s."id" AND c."endedAt" IS NULL AND c."endsAt" > s."startBefore" RETURNING c."id"
     )
     SELECT count(*)::int AS "codes" FROM codes`,
    { dropId, authorId: tx.actor.kind === 'user' ? tx.actor.userId : null },
  )
  return started !== undefined && started.codes > 0
}
