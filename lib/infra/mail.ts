import 'server-only'
import nodemailer, { type Transporter } from 'nodemailer'
import { brand } from '@/lib/kernel/brand'
import { processState } from '@/lib/kernel/process-state.mjs'
import { sha256 } from './crypto'
import { env } from './env'

export type Mail = {
  /** Identifies the mail over all attempts to send it. */
  key: string
  to: string
  subject: string
  text: string
  html: string
  /** For mails that can be unsubscribed: the mail program shows this as a button (RFC 8058). */
  unsubscribeUrl?: string | undefined
  /** Who gets the answer when the reader presses Reply; without it our support. */
  replyTo?: string | undefined
}

/** Much shorter than the lease of a mail (send-due-mail.ts), so that no second process sends the same mail. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

const shared = processState('mail', (): { transporter?: Transporter } => ({}))

/**
 * Hands a mail to the SMTP server. Without SMTP_URL there is no server: /sandbox/mail shows the outbox table instead.
 */
export async function deliverMail(mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env()
  // Deleted accounts have an address under .invalid, which no mail can reach (RFC 2606).
  if (!smtpUrl || mail.to.endsWith('.invalid')) return
  const transport = (shared.transporter ??= nodemailer.createTransport({ url: smtpUrl, ...TIMEOUTS }))
  // The recipient is passed as an object, because a string would be parsed and could contain further recipients.
  const { key, unsubscribeUrl, to, replyTo, ...content } = mail
  const headers = {
    // Automatic replies, such as absence notes, are not sent to a mail with this header (RFC 3834).
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}),
  }
  await transport.sendMail({
    ...content,
    headers,
    messageId: messageIdOf(key, mailFrom),
    from: mailFrom,
    to: { name: '', address: to },
    replyTo: { name: '', address: replyTo ?? brand.contact.support },
  })
}

/**
 * The Message-ID is the same for every attempt: a server that took the mail and lost the connection before it said so
 * gets the mail again, and the reader's mail program shows it once.
 */
function messageIdOf(key: string, mailFrom: string): string {
  const [, domain = 'localhost'] = /@([\w.-]+)>?\s*$/.exec(mailFrom) ?? []
  return `<${sha256(key).slice(0, 32)}@${domain}>`
}
