import 'server-only'
import type { Context } from '@/lib/infra/context'
import { deliverMail, lacksMailServer, type Mail } from '@/lib/infra/mail'
import type { MailContent } from './compose-mail'
import { IS_TO_SEND } from './is-to-send'
import { mailHtml } from './mail-html'

/**
 * The number of emails that one run handles, and the number of them that are sent at the same time. If the mail server
 * stops responding, a batch takes five rounds of at most 30 seconds each (lib/infra/mail.ts). It is then finished
 * before the shortest lease, which is four minutes, ends.
 */
const BATCH = 40
const AT_ONCE = 8

type DueMail = Pick<Mail, 'to' | 'subject' | 'text'> & {
  id: number
  dedupeKey: string
  attempts: number
  html: string | null
  content: MailContent | null
}

/**
 * Sends the emails that are due. Before an email is sent, its next attempt is moved into the future. This works as a
 * lease, so that two processes do not send the same email at the same time. The error of the attempt before is removed,
 * because an email without an error may be on its way and is not recalled (startMailSql.isUnsent). The wait doubles
 * with each failure, up to an hour. An email is no longer sent once it has expired or is three days old. With live
 * Stripe keys and without a mail server nothing is sent, and the emails wait in the outbox.
 * @param options.isUrgent whether this run sends only urgent emails or only the others
 * @returns the number of emails that were sent
 */
export async function sendDueMail(ctx: Context, { isUrgent = false } = {}): Promise<number> {
  if (lacksMailServer()) return 0
  const due = await ctx.sql<DueMail>(
    isUrgent ? 'lease-urgent-mail' : 'lease-mail',
    `UPDATE "OutboxMail" SET "attempts" = "attempts" + 1, "lastError" = NULL,
            "sendAfter" = now() + make_interval(secs => LEAST(3600, 240 * power(2, LEAST("attempts", 4))))
      WHERE "id" IN (SELECT "id" FROM "OutboxMail" WHERE ${IS_TO_SEND} AND "sendAfter" <= now()
                        AND ${isUrgent ? '' : 'NOT '}"isUrgent"
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
    const { id, dedupeKey: key, to, subject, text, content } = mail
    const unsubscribeUrl = content?.unsubscribe?.postUrl
    await deliverMail({ id, key, to, subject, text, html, unsubscribeUrl, replyTo: content?.replyTo })
    await ctx.sql('mail-sent', 'UPDATE "OutboxMail" SET "sentAt" = now(), "lastError" = NULL WHERE "id" = :id', {
      id: mail.id,
    })
    return true
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
    await ctx.sql('mail-failed', 'UPDATE "OutboxMail" SET "lastError" = :reason WHERE "id" = :id', {
      id: mail.id,
      reason,
    })
    // The reason is stored in the row and not logged, because it may contain the recipient's address.
    ctx.log.warn({ mailId: mail.id, attempts: mail.attempts }, 'mail not delivered')
    return false
  }
}
