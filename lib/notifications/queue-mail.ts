import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { QueuedMail } from './compose-mail'

/**
 * The statement that writes mails to the outbox, for changes that must queue a mail in the same statement. No other
 * place inserts these rows: the dedupe key ensures that a mail is queued only once, however often it is requested. The
 * statement's parameter is `:mails`, built by mailsParameter().
 * @param rest further tables and conditions, such as `CROSS JOIN paid WHERE …`; the mails have the alias `m`.
 */
export const queueMailSql = (rest = ''): string => `
  INSERT INTO "OutboxMail" ("dedupeKey", "to", "subject", "text", "content", "expiresAt", "isBulk", "isUrgent")
  SELECT m."dedupeKey", m."to", m."subject", m."text", m."content", m."expiresAt",
         COALESCE(m."isBulk", false), COALESCE(m."isUrgent", false)
    FROM jsonb_to_recordset(:mails::jsonb)
      AS m("dedupeKey" text, "to" text, "subject" text, "text" text, "content" jsonb, "expiresAt" timestamptz,
           "isBulk" boolean, "isUrgent" boolean) ${rest}
  ON CONFLICT ("dedupeKey") DO NOTHING`

const QUEUE = `${queueMailSql()} RETURNING "dedupeKey"`

/** Converts mails to the parameter of queueMailSql(). */
export const mailsParameter = (mails: readonly QueuedMail[]): string => JSON.stringify(mails)

/**
 * Puts mails into the outbox, in the caller's transaction when there is one; send-due-mail.ts sends them. A mail whose
 * key was queued before is skipped.
 * @returns how many mails were new.
 */
export async function queueMail(ctx: Pick<Context, 'sql'>, mails: readonly QueuedMail[]): Promise<number> {
  if (mails.length === 0) return 0
  return (await ctx.sql('queue-mail', QUEUE, { mails: mailsParameter(mails) })).length
}

/** Whether a mail with this key was queued before, or after the time `since` when it is given. */
export async function isMailQueued({ db }: Pick<Context, 'db'>, dedupeKey: string, since?: Date): Promise<boolean> {
  return (await db.outboxMail.count({ where: { dedupeKey, ...(since ? { createdAt: { gt: since } } : {}) } })) > 0
}
