import 'server-only'
import nodemailer, { type Transporter } from 'nodemailer'
import { env } from './env'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** For mails that can be unsubscribed: the mail program shows this as a button (RFC 8058). */
  unsubscribeUrl?: string | undefined
}

/** Much shorter than the lease of a mail (send-due-mail.ts), so that no second process sends the same mail. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

const shared = globalThis as unknown as { lastcallMailer?: Transporter }

/**
 * Hands a mail to the SMTP server. Without SMTP_URL there is no server: /sandbox/mail shows the outbox table instead.
 */
export async function deliverMail(mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env()
  // Deleted accounts have an address under .invalid, which no mail can reach (RFC 2606).
  if (!smtpUrl || mail.to.endsWith('.invalid')) return
  const transport = (shared.lastcallMailer ??= nodemailer.createTransport({ url: smtpUrl, ...TIMEOUTS }))
  // The recipient is passed as an object, because a string would be parsed and could contain further recipients.
  const { unsubscribeUrl, to, ...content } = mail
  const headers = unsubscribeUrl
    ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}
  await transport.sendMail({ ...content, headers, from: mailFrom, to: { name: '', address: to } })
}
