import 'server-only'
import nodemailer, { type Transporter } from 'nodemailer'
import { brand } from '@/lib/kernel/brand'
import { processState } from '@/lib/kernel/process-state.mjs'
import { sha256 } from './crypto'
import { env } from './env'

export type Mail = {
  /** The id of its row in the outbox, which is the same in every attempt to send it. */
  id: number
  key: string
  to: string
  subject: string
  text: string
  html: string
  /** For emails that the recipient can unsubscribe from. Mail programs show a button for this URL (RFC 8058). */
  unsubscribeUrl?: string | undefined
  /** The address for replies to this email. The default is our support address. */
  replyTo?: string | undefined
}

/**
 * In milliseconds, and much shorter than the lease of an email (send-due-mail.ts), so that only one process sends it.
 */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/**
 * How long a whole attempt may take. The timeouts above end only waits without a byte, so a server that sends one byte
 * after another would hold the attempt forever, and with it all later emails of this process.
 */
const ATTEMPT_MS = 30_000

const shared = processState('mail', (): { transporter?: Transporter } => ({}))

/**
 * Whether emails have to wait because real money moves but no mail server is set. Otherwise receipts and codes would be
 * marked as sent although nobody receives them.
 */
export function lacksMailServer(): boolean {
  const { smtpUrl, stripeMode } = env()
  return smtpUrl === null && stripeMode === 'live'
}

/**
 * Passes an email to the SMTP server. Without SMTP_URL nothing is sent, and in the sandbox /sandbox/mail shows the
 * outbox table instead.
 */
export async function deliverMail(mail: Mail): Promise<void> {
  const { smtpUrl, mailFrom } = env()
  // Deleted accounts have an address under .invalid, which no email can reach (RFC 2606).
  if (!smtpUrl || mail.to.endsWith('.invalid')) return
  const transport = (shared.transporter ??= nodemailer.createTransport({ url: smtpUrl, ...TIMEOUTS }))
  // The recipient is passed as an object, because a string would be parsed and could contain further recipients.
  const { id, key, unsubscribeUrl, to, replyTo, ...content } = mail
  const headers = {
    // Mail servers send no automatic replies, such as out-of-office messages, to an email with this header (RFC 3834).
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl
      ? { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
      : {}),
  }
  // After this time the connection is closed, so that the server cannot accept the email while another attempt is made.
  const signal = AbortSignal.timeout(ATTEMPT_MS)
  const message = {
    ...content,
    headers,
    messageId: messageIdOf(`${id}\n${key}\n${mail.subject}`, mailFrom),
    from: mailFrom,
    to: { name: '', address: to },
    replyTo: { name: '', address: replyTo ?? brand.contact.support },
    signal,
  }
  await transport.sendMail(message).catch((error: unknown) => {
    throw signal.aborted ? new Error('the mail server took too long', { cause: error }) : error
  })
}

/**
 * Returns the Message-ID, which is the same for every attempt to send an email. If the connection is lost before the
 * server confirms the email, the server receives it again, and most mail programs then show it only once.
 * @param content the row of the email, its key and its subject. Without the row, the program would hide an email that
 *   has the key of an earlier one, such as the reminder of a start that was canceled and restored. Without the subject,
 *   it would hide news that replaces an email which could not be confirmed in time, such as an expired early access.
 */
function messageIdOf(content: string, mailFrom: string): string {
  const [, domain = 'localhost'] = /@([\w.-]+)>?\s*$/.exec(mailFrom) ?? []
  return `<${sha256(content).slice(0, 32)}@${domain}>`
}
