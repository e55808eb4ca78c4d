import 'server-only'
import type { Context } from '@/lib/infra/context'
import { startMailSql } from './start-mail-sql'

// Only the current run of a drop can have such an email in the outbox.
const RECALL = `
  WITH recalled AS (
    DELETE FROM "OutboxMail" m USING "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId"
     WHERE e."id" = :entryId AND ${startMailSql.isUnsent} AND m."dedupeKey" IN (
       ${startMailSql.reminder}, ${startMailSql.cancellation}, ${startMailSql.relaunch})
    RETURNING e."id"
  )
  UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL FROM recalled WHERE e."id" = recalled."id"`

/**
 * Removes all news about a drop that is queued for one person but not sent, in the caller's transaction: the reminder
 * of its start, the news that the start was canceled, and the news of a relaunch. An email that may be on its way to
 * the mail server stays. The row of the entry must be locked, because the jobs that queue these emails lock it, too.
 */
export async function recallWaitlistMails(tx: Pick<Context, 'sql'>, entryId: number): Promise<void> {
  await tx.sql('recall-waitlist-mails', RECALL, { entryId })
}
