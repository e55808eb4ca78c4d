import 'server-only'
import type { Context } from '@/lib/infra/context'
import { deliverMail, type Mail } from '@/lib/infra/mail'
import type { MailContent } from './compose-mail'
import { mailHtml } from './mail-html'

/**
 * How many mails one run takes, and how many of them are under way at once. Even with a slow server a batch is finished
 * before the shortest lease (four minutes) ends: five rounds of at most 40 seconds.
 */
const BATCH = 25
const AT_ONCE = 5

type DueMail = Pick<Mail, 'to' | 'subject' | 'text'> & {
  id: number
  dedupeKey: string
  attempts: number
  html: string | null
  content: MailContent | null
}

/**
 * Sends the mails that are due. A mail is leased by moving its next attempt into the future before it is handed over,
 * so that two processes never send the same one. The wait doubles with each failure up to an hour, for three days.
 * A mail that has expired is left.
 * @param options.isUrgent sends urgent mails only; the other runs leave them out.
 * @returns how many mails were sent.
 */
export async function sendDueMail(ctx: Context, { isUrgent = false } = {}): Promise<number> {
  const due = await ctx.sql<DueMail>(
    isUrgent ? 'lease-urgent-mail' : 'lease-mail',
    `UPDATE "OutboxMail" SET "attempts" = "attempts" + 1,
            "sendAfter" = now() + make_interval(secs => LEAST(3600, 240 * power(2, LEAST("attempts", 4))))
      WHERE "id" IN (SELECT "id" FROM "OutboxMail" WHERE "sentAt" IS NULL AND "sendAfter" <= now()
                        AND "createdAt" > now() - interval '3 days'
                        AND ("expiresAt" IS NULL OR "expiresAt" > now()) AND ${isUrgent ? '' : 'NOT '}"isUrgent"
                      ORDER BY ${isUrgent ? '' : '"isBulk", '}"sendAfter" LIMIT :limit FOR UPDATE SKIP LOCKED)
      RETURNING "id", "dedupeKey", "to", "subject", "text", "html", "content", "attempts"`,
    { limit: BATCH },
  )
  let sent = 0
  const queue = due.values()
  const sendNext = async () => {
    for (const mail of queue) if (await sendOne(ctx, mail)) sent += 1
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendNext))
  return sent
}

async function sendOne(ctx: Context, mail: DueMail): Promise<boolean> {
  try {
    const html = await mailHtml(mail)
    const { dedupeKey: key, to, subject, text, content } = mail
    const unsubscribeUrl = content?.unsubscribe?.postUrl
    await deliverMail({ key, to, subject, text, html, unsubscribeUrl, replyTo: content?.replyTo })
    await ctx.sql(
      'mail-sent',
      'UPDATE "OutboxMail" SET "sentAt" = now(), "lastError" = NULL, "html" = :html WHERE "id" = :id',
      { id: mail.id, html },
    )
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    await ctx.sql('mail-failed', 'UPDATE "OutboxMail" SET "lastError" = :reason WHERE "id" = :id', {
      id: mail.id,
      reason,
    })
    // The reason is stored in the row and not logged, because mail servers repeat the address in it.
    ctx.log.warn({ mailId: mail.id, attempts: mail.attempts }, 'mail not delivered')
    return false
  }
}
