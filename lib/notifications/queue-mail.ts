import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { QueuedMail } from './compose-mail'

/**
 * The statement that writes mails to the outbox, for what has to queue them in the same statement as the change they tell
 * of. The only place that writes rows there, so that a mail is queued once however often it is asked for: its dedupe key
 * decides. Its parameter is `:mails`, made by mailsParameter().
 * @param rest further tables and conditions, as `CROSS JOIN paid WHERE …`; the mails are `m`.
 */
export const queueMailSql = (rest = ''): string => `
  INSERT INTO "OutboxMail" ("dedupeKey", "to", "subject", "text", "content", "isBulk")
  SELECT m."dedupeKey", m."to", m."subject", m."text", m."content", COALESCE(m."isBulk", false)
    FROM jsonb_to_recordset(:mails::jsonb)
      AS m("dedupeKey" text, "to" text, "subject" text, "text" text, "content" jsonb, "isBulk" boolean) ${rest}
  ON CONFLICT ("dedupeKey") DO NOTHING`

const QUEUE = `${queueMailSql()} RETURNING "dedupeKey"`

/** Mails as queueMailSql() reads them. */
export const mailsParameter = (mails: readonly QueuedMail[]): string => JSON.stringify(mails)

/**
 * Puts mails into the outbox, in the caller's transaction when there is one; they are sent from there (send-due-mail.ts). A
 * mail whose key was queued before is left out.
 * @returns how many were new.
 */
export async function queueMail(ctx: Pick<Context, 'sql'>, mails: readonly QueuedMail[]): Promise<number> {
  if (mails.length === 0) return 0
  return (await ctx.sql('queue-mail', QUEUE, { mails: mailsParameter(mails) })).length
}

/** Whether a mail of this key was queued before. */
export async function isMailQueued({ db }: Pick<Context, 'db'>, dedupeKey: string): Promise<boolean> {
  return (await db.outboxMail.findUnique({ where: { dedupeKey }, select: { id: true } })) !== null
}
