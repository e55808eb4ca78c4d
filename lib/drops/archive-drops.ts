import 'server-only'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { runDiscountSql } from './code-queries'
import { recapMail, type RecapFacts } from './mails'

/** The batch is small, so that other transactions wait only milliseconds for one of its rows. */
const BATCH = 250

type Stamped = RecapFacts & { email: string; firstName: string; timezone: string; wantsMail: boolean }
type Position = { endTime: Date; id: number }

/**
 * Marks drops that are over as archived and queues the recap emails. It is only housekeeping: every read checks endTime
 * itself (docs/product.md#when-a-drop-is-over). It works in short transactions sorted by end time, each continuing
 * where the last one stopped, so that nobody waits behind it and the cost per drop stays constant. Rows locked by
 * another process are left to that process.
 * @returns how many were archived.
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
    UPDATE "DropRun" r SET "renewDueAt" = CASE WHEN s."hiddenAt" IS NULL THEN s."endTime" + interval '24 hours' END
      FROM stamped s WHERE r."dropId" = s."id" AND r."run" = s."run" RETURNING r."dropId", r."viewsBefore"
  )
  SELECT s."id", s."run", s."title", s."customSlug", s."uniqueId", s."endTime", s."sold", s."held", s."quantity",
         s."priceCents", ${runDiscountSql('s')} AS "discountedCents", s."views" - COALESCE(c."viewsBefore", 0) AS "views", u."email", u."firstName", u."timezone",
         u."emailNotifications" AND u."deletedAt" IS NULL AND s."hiddenAt" IS NULL AS "wantsMail"
    FROM stamped s JOIN "User" u ON u."id" = s."userId" LEFT JOIN closed c ON c."dropId" = s."id"
   ORDER BY s."endTime", s."id"`

/** Written as raw SQL, because Prisma would process each row in this process while pages wait for it. */
function archiveBatch(ctx: Context, { endTime, id }: Position): Promise<Stamped[]> {
  return sqlTransaction(ctx, async (tx) => {
    const stamped = await tx.sql<Stamped>('archive-drops', STAMP, { endTime, id, limit: BATCH })
    const mails = stamped.filter((drop) => drop.wantsMail).map((drop) => recapMail(drop, drop, ctx.appUrl))
    await queueMail(tx, mails)
    return stamped
  })
}
