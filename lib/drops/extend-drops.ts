import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Extends drops in the caller's transaction. Drops that have ended go live again when their new end lies in the future.
 * The change is recorded with the reason `outage`. Buyers read it as "after an outage"
 * (docs/product.md#history-of-a-drop). An open edition that has ended stays closed, and so does a run that has given
 * numbers, even if it ended while the rows were being locked (ADR 0064). The database would refuse the whole extension
 * for one such run. A recap that was due and not yet queued is sent at the new end instead. Lock the rows first, sorted
 * by id, to avoid a deadlock.
 */
export async function extendDrops(tx: Context, dropIds: readonly number[], hours: number): Promise<void> {
  await tx.sql(
    'extend-drops',
    `WITH before AS (
       SELECT "id", LEAST("endTime", "archivedAt") AS "endTime" FROM "Drop" WHERE "id" = ANY(:dropIds::int[])
     ), extended AS (
       UPDATE "Drop" d SET "endTime" = d."endTime" + make_interval(hours => :hours::int), "isActive" = true,
              "archivedAt" = NULL, "updatedAt" = now()
         FROM before b WHERE d."id" = b."id" AND (d."endTime" > clock_timestamp() + interval '1 second' OR NOT (d."isOpenEdition" OR EXISTS (
           SELECT FROM "EditionNumber" e WHERE e."dropId" = d."id" AND e."run" = d."run")))
       RETURNING d."id", d."run", d."endTime", b."endTime" AS "endBefore"
     ), noted AS (
       INSERT INTO "RunChange" ("dropId", "run", "reason", "authorId", "endBefore", "endAfter")
       SELECT "id", "run", 'outage', :authorId::int, "endBefore", "endTime" FROM extended
     )
     UPDATE "DropRun" r SET "endTime" = e."endTime", "renewDueAt" = NULL, "recapDueAt" = NULL
       FROM extended e WHERE r."dropId" = e."id" AND r."run" = e."run"`,
    { dropIds, hours, authorId: tx.actor.kind === 'user' ? tx.actor.userId : null },
  )
}
