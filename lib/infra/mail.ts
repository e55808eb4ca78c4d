import 'server-only'
import nodemailer, { type Transporter } from 'nodemailer'
import { env } from './env'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** Of mail that can be stopped: the mail program offers it as one tap (RFC 8058). */
  unsubscribeUrl?: string | undefined
}

/** Well inside the lease of a mail (send-due-mail.ts), so that no second process sends it too. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

const shared = globalThis as unknown as { lastcallMailer?: Transporter }

/**
 * Hands a mail to the SMTP server. Without SMTP_URL there is none: the outbox table itself is the mailbox that
 * /sandbox/mail shows.
 */
export async function deliverMail(mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env()
  // What stands in the row of somebody who is gone: a name that no mail ever reaches (RFC 2606).
  if (!smtpUrl || mail.to.endsWith('.invalid')) return
  const transport = (shared.lastcallMailer ??= nodemailer.createTransport({ url: smtpUrl, ...TIMEOUTS }))
  // An object, never a string: a string is parsed for further recipients.
  const { unsubscribeUrl, to, ...content } = mail
  const headers = unsubscribeUrl
    ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}
  await transport.sendMail({ ...content, headers, from: mailFrom, to: { name: '', address: to } })
}
