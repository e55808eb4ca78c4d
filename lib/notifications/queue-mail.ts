import 'server-only'
import type { Context } from '@/lib/infra/context'
import { toWellFormed } from '@/lib/kernel/text'
import type { QueuedMail } from './compose-mail'

/**
 * A placeholder in an email, which the statement that queues the email replaces. It is a private-use character of
 * Unicode, so that no text of a user contains it by accident.
 */
export const MAIL_BLANK = '\uE0A6'

const filled = (text: string, blank: string | undefined) =>
  blank ? `replace(${text}, '${MAIL_BLANK}', ${blank})` : text

/**
 * Returns the statement that writes emails to the outbox, for changes that must queue an email in the same statement.
 * No other code inserts these rows. An email whose dedupe key is in the outbox already is skipped, so it is queued only
 * once, however often it is requested. The statement's parameter is `:mails`, built by mailsParameter().
 * @param rest further tables and conditions, such as `CROSS JOIN paid WHERE …`. The emails have the alias `m`.
 * @param blank an SQL expression for the text that replaces MAIL_BLANK, which is known only inside the statement.
 */
export const queueMailSql = (rest = '', blank?: string): string => `
  INSERT INTO "OutboxMail" ("dedupeKey", "to", "subject", "text", "content", "expiresAt", "isBulk", "isUrgent", "noticeId")
  SELECT m."dedupeKey", m."to", m."subject", ${filled('m."text"', blank)}, ${blank ? `${filled('m."content"::text', blank)}::jsonb` : 'm."content"'}, m."expiresAt",
         COALESCE(m."isBulk", false), COALESCE(m."isUrgent", false), m."noticeId"
    FROM jsonb_to_recordset(:mails::jsonb)
      AS m("dedupeKey" text, "to" text, "subject" text, "text" text, "content" jsonb, "expiresAt" timestamptz,
           "isBulk" boolean, "isUrgent" boolean, "noticeId" integer) ${rest}
  ON CONFLICT ("dedupeKey") DO NOTHING`

const QUEUE = `${queueMailSql()} RETURNING "dedupeKey"`

/** Converts emails to the parameter of queueMailSql(). */
export const mailsParameter = (mails: readonly QueuedMail[]): string =>
  // Postgres refuses JSON with half characters, and with the email the whole change would be rolled back.
  JSON.stringify(mails, (_key, value: unknown) => (typeof value === 'string' ? toWellFormed(value) : value))

/**
 * Puts emails into the outbox, in the caller's transaction when there is one. sendDueMail() sends them. An email whose
 * key is in the outbox already is skipped.
 * @returns the number of emails that were new
 */
export async function queueMail(ctx: Pick<Context, 'sql'>, mails: readonly QueuedMail[]): Promise<number> {
  if (mails.length === 0) return 0
  return (await ctx.sql('queue-mail', QUEUE, { mails: mailsParameter(mails) })).length
}

/**
 * Whether the outbox has an email with this key, sent or not. If `since` is given, the email must have been queued
 * after that time.
 */
export async function isMailQueued({ db }: Pick<Context, 'db'>, dedupeKey: string, since?: Date): Promise<boolean> {
  return (await db.outboxMail.count({ where: { dedupeKey, ...(since ? { createdAt: { gt: since } } : {}) } })) > 0
}
