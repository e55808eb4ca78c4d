import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { MailKind } from './compose-mail'

/**
 * The kinds of email about a purchase or a refund, and the notice of a new payout account. Their recipient still gets
 * them after an account with that address is deleted.
 */
const KEPT_KINDS: readonly MailKind[] = [
  'receipt',
  'refund',
  'refund-returned',
  'late-refund',
  'late-refund-failed',
  'mismatch-refund',
  'find-order',
  'shipped',
  'delivered',
  'refund-declined',
  'delay',
  'address',
  'pro-money-back',
  'pro-money-back-failed',
  'payouts-connected',
]

/**
 * Removes the address and the content from an email. Its row stays, because its key keeps the email from being sent
 * twice.
 */
const EMPTY = `"to" = '', "subject" = '', "text" = '', "content" = NULL, "html" = NULL, "lastError" = NULL`

/**
 * Removes the address and the content from emails that were written more than 30 days ago. They were sent or given up
 * long before (lib/notifications/send-due-mail.ts). The emptied rows are deleted after 400 days. Until then a late
 * dispute or a yearly plan could queue the same email again.
 * @param limit how many emails each of the two steps, emptying and deleting, handles at most
 * @returns the number of emails that were emptied or deleted
 */
export async function forgetMails(ctx: Pick<Context, 'sql'>, limit: number): Promise<number> {
  return (await emptyOldMails(ctx, limit)) + (await deleteEmptyMails(ctx, limit))
}

async function emptyOldMails({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'empty-old-mails',
    `UPDATE "OutboxMail" SET ${EMPTY} WHERE "id" IN (
       SELECT "id" FROM "OutboxMail" WHERE "to" <> '' AND "createdAt" < now() - interval '30 days'
        ORDER BY "createdAt" LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "id"`,
    { limit },
  )
  return rows.length
}

async function deleteEmptyMails({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'delete-empty-mails',
    `DELETE FROM "OutboxMail" WHERE "id" IN (
       SELECT "id" FROM "OutboxMail" WHERE "to" = '' AND "createdAt" < now() - interval '400 days'
        ORDER BY "createdAt" LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "id"`,
    { limit },
  )
  return rows.length
}

/**
 * Removes the emails to the address of an account that is being deleted, in the caller's transaction. Emails that were
 * sent are emptied. Waiting emails are deleted, except those of KEPT_KINDS, which are emptied after 30 days.
 */
export async function forgetMailsTo(tx: Pick<Context, 'sql'>, address: string): Promise<void> {
  const ofAddress = { address: address.toLowerCase(), kept: [...KEPT_KINDS] }
  const isKept = `split_part("dedupeKey", ':', 1) = ANY(:kept::text[])`
  await tx.sql(
    'delete-waiting-mails-to',
    `DELETE FROM "OutboxMail" WHERE "to" = :address AND "sentAt" IS NULL AND NOT ${isKept}`,
    ofAddress,
  )
  await tx.sql('empty-mails-to', `UPDATE "OutboxMail" SET ${EMPTY} WHERE "to" = :address AND "sentAt" IS NOT NULL`, {
    address: ofAddress.address,
  })
}
