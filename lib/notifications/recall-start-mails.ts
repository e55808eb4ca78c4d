import 'server-only'
import type { Context } from '@/lib/infra/context'
import { startMailSql } from './start-mail-sql'

const IS_RECALLED = `m."sentAt" IS NULL AND m."dedupeKey" IN (${startMailSql.reminder}, ${startMailSql.relaunch})`

// Each entry is locked before its email, because a person who unsubscribes at the same moment locks them in this order,
// too (recall-waitlist-mails.ts). An entry whose email may be on its way to the mail server keeps its "notifiedRun", so
// that nobody gets the email twice.
const RECALL = `
  WITH locked AS MATERIALIZED (
    SELECT e."id" FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId"
     WHERE e."dropId" = ANY(:dropIds::int[]) AND e."notifiedRun" = d."run"
       AND EXISTS (SELECT FROM "OutboxMail" m WHERE ${IS_RECALLED})
     ORDER BY e."id" FOR NO KEY UPDATE OF e
  ), recalled AS (
    DELETE FROM "OutboxMail" m USING locked JOIN "WaitlistEntry" e ON e."id" = locked."id" JOIN "Drop" d ON d."id" = e."dropId"
     WHERE ${IS_RECALLED}
    RETURNING e."id", ${startMailSql.isUnsent} AS "isUnsent"
  )
  UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL FROM recalled WHERE e."id" = recalled."id" AND recalled."isUnsent"`

/**
 * Removes the reminders of a start and the news of a relaunch that are queued but not sent, in the caller's transaction
 * (docs/product.md#scheduled-start). Their recipients then count as not reminded. Call this function before the start
 * of the drop changes. The rows of the drops must be locked, because the job that queues reminders of a coming start
 * locks them, too. A batch about a live drop that is being queued at that moment is sent.
 */
export async function recallStartMails(tx: Pick<Context, 'sql'>, dropIds: readonly number[]): Promise<void> {
  await tx.sql('recall-start-mails', RECALL, { dropIds: [...dropIds] })
}

/**
 * Does the same for the drops of a seller who is being suspended. They are not locked, because a refused drop of the
 * seller is locked already, and an opposite order could deadlock. A batch of emails that is being queued at that moment
 * is therefore sent.
 */
export async function recallStartMailsOfSeller(tx: Pick<Context, 'sql'>, sellerId: number): Promise<void> {
  const drops = await tx.sql<{ id: number }>(
    'drops-of-suspended-seller',
    `SELECT "id" FROM "Drop" WHERE "userId" = :sellerId AND "endTime" > now() AND "archivedAt" IS NULL`,
    { sellerId },
  )
  await recallStartMails(
    tx,
    drops.map(({ id }) => id),
  )
}

/**
 * Counts everyone who was reminded of the current run's start as not reminded, because the start has changed and they
 * are reminded of the new one. The row of the drop must be locked, as for recallStartMails().
 */
export async function forgetStartMails(tx: Pick<Context, 'sql'>, dropId: number): Promise<void> {
  await tx.sql(
    'forget-start-mails',
    `UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL FROM "Drop" d
      WHERE d."id" = :dropId AND e."dropId" = d."id" AND e."notifiedRun" = d."run"`,
    { dropId },
  )
}

const ALLOW_AGAIN = `
  WITH earlier AS (
    SELECT m."id", ${startMailSql.isUnsent} AS "isUnsent"
      FROM "OutboxMail" m, "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId"
     WHERE e."id" = ANY(:entryIds::int[]) AND m."dedupeKey" IN (${startMailSql.reminder}, ${startMailSql.cancellation})
  ), outdated AS (
    DELETE FROM "OutboxMail" m USING earlier WHERE m."id" = earlier."id" AND earlier."isUnsent"
  )
  UPDATE "OutboxMail" m SET "dedupeKey" = concat(m."dedupeKey", ':', m."id") FROM earlier
   WHERE m."id" = earlier."id" AND NOT earlier."isUnsent"`

/**
 * Lets people who were reminded of a start that was then canceled get both emails about the same start again, because
 * an administrator can restore the drop before that start. For this, the earlier emails of the current run get other
 * keys. Those that were not sent yet are removed, because they are no longer true, and because nobody could recall them
 * without their keys. The rows of the entries must be locked.
 */
export async function allowStartMailsAgain(tx: Pick<Context, 'sql'>, entryIds: readonly number[]): Promise<void> {
  await tx.sql('allow-start-mails-again', ALLOW_AGAIN, { entryIds: [...entryIds] })
}
