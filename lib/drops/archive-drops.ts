import 'server-only'
import type { Context } from '@/lib/infra/context'

/** The batch is small, so that other transactions wait only milliseconds for one of its rows. */
const BATCH = 250

type Position = { endTime: Date; id: number }

/**
 * Marks ended drops as archived, sets the time of their auto-renew, and marks their recaps as due. Whether a drop is
 * over does not depend on this job, because every read checks endTime itself (docs/product.md#when-a-drop-is-over). The
 * function works in short statements in the order of end times, and each continues where the last one stopped. Other
 * transactions therefore never wait long, and the cost per drop stays constant. Rows that another transaction has
 * locked are left to the next run.
 * @returns how many drops were archived.
 */
export async function archiveDrops(ctx: Context): Promise<number> {
  let archived = 0
  let after: Position = { endTime: new Date(0), id: 0 }
  for (;;) {
    const stamped = await archiveBatch(ctx, after)
    archived += stamped.length
    const last = stamped.at(-1)
    if (!last || stamped.length < BATCH) return archived
    after = last
  }
}

const STAMP = `
  WITH due AS (
    SELECT "id" FROM "Drop"
     WHERE "archivedAt" IS NULL AND "endTime" <= now() AND ("endTime", "id") > (:endTime::timestamptz, :id::int)
     ORDER BY "endTime", "id" LIMIT :limit FOR NO KEY UPDATE SKIP LOCKED
  ), stamped AS (
    UPDATE "Drop" d SET "archivedAt" = now(), "isActive" = false, "updatedAt" = now()
      FROM due WHERE d."id" = due."id" RETURNING d.*
  ), closed AS (
    UPDATE "DropRun" r SET "recapDueAt" = now(),
           "renewDueAt" = CASE WHEN s."hiddenAt" IS NULL THEN s."endTime" + interval '24 hours' END
      FROM stamped s WHERE r."dropId" = s."id" AND r."run" = s."run"
  )
  SELECT "id", "endTime" FROM stamped ORDER BY "endTime", "id"`

/**
 * Archives one batch. It uses raw SQL, because Prisma would process each row in this process, which would delay pages.
 */
function archiveBatch(ctx: Context, { endTime, id }: Position): Promise<Position[]> {
  return ctx.sql<Position>('archive-drops', STAMP, { endTime, id, limit: BATCH })
}
