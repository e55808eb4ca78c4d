import 'server-only'
import { statement } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { deliverMail, type Mail } from '@/lib/infra/mail'
import type { MailContent } from './compose-mail'
import { mailHtml } from './mail-html'

/** Few enough that even a slow server is done with them before the shortest lease, four minutes, is over. */
const BATCH = 5

type DueMail = Omit<Mail, 'html'> & {
  id: number
  attempts: number
  html: string | null
  content: MailContent | null
}

/**
 * Sends what waits in the outbox. A mail is leased by moving its next attempt ahead before it is handed over, so two
 * processes never hold the same one; the wait doubles with each failure, up to an hour, for three days.
 * @returns how many were sent.
 */
export async function sendDueMail(): Promise<number> {
  const due = await statement<DueMail>(
    'lease-mail',
    `UPDATE "OutboxMail" SET "attempts" = "attempts" + 1,
            "sendAfter" = now() + make_interval(secs => LEAST(3600, 240 * power(2, LEAST("attempts", 4))))
      WHERE "id" IN (SELECT "id" FROM "OutboxMail" WHERE "sentAt" IS NULL AND "sendAfter" <= now()
                        AND "createdAt" > now() - interval '3 days'
                      ORDER BY "isBulk", "sendAfter" LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING "id", "to", "subject", "text", "html", "content", "attempts"`,
    [BATCH],
  )
  let sent = 0
  for (const mail of due) {
    try {
      const html = await mailHtml(mail)
      const unsubscribeUrl = mail.content?.unsubscribe?.postUrl
      await deliverMail({ to: mail.to, subject: mail.subject, text: mail.text, html, unsubscribeUrl })
      await statement(
        'mail-sent',
        'UPDATE "OutboxMail" SET "sentAt" = now(), "lastError" = NULL, "html" = $2 WHERE "id" = $1',
        [mail.id, html],
      )
      sent += 1
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown'
      await statement('mail-failed', 'UPDATE "OutboxMail" SET "lastError" = $2 WHERE "id" = $1', [mail.id, reason])
      // The reason stays in the row: servers repeat the address in it.
      log().warn({ mailId: mail.id, attempts: mail.attempts }, 'mail not delivered')
    }
  }
  return sent
}
