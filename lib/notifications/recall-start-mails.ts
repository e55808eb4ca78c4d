import 'server-only'
import type { Context } from '@/lib/infra/context'

// A mail that may be on its way to the mail server stays noted as sent, so that nobody gets it twice.
const RECALL = `
  WITH recalled AS (
    DELETE FROM "OutboxMail" m USING "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId"
     WHERE (e."dropId" = ANY(:dropIds::int[]) OR e."id" = :entryId::int) AND e."notifiedRun" = d."run" AND m."sentAt" IS NULL
       AND m."dedupeKey" = concat('waitlist-start:', e."id", ':', d."run", ':', (extract(epoch FROM d."startedAt") * 1000)::bigint)
    RETURNING e."id", m."attempts" = 0 OR m."lastError" IS NOT NULL AS "isUnsent"
  )
  UPDATE "WaitlistEntry" e SET "notifiedRun" = NULL FROM recalled WHERE e."id" = recalled."id" AND recalled."isUnsent"`

/**
 * Removes the reminders of a start that are queued and not yet sent, of all who wait for these drops or of one person, in the
 * caller's transaction (docs/product.md#scheduled-start). Those people count as not reminded. Call it before the start of the
 * drop changes, and with the row of the drop or of the entry locked: the job that queues reminders locks both.
 */
export async function recallStartMails(
  tx: Pick<Context, 'sql'>,
  of: { dropIds: readonly number[] } | { entryId: number },
): Promise<void> {
  const { dropIds, entryId } = { dropIds: [], entryId: null, ...of }
  await tx.sql('recall-start-mails', RECALL, { dropIds, entryId })
}
