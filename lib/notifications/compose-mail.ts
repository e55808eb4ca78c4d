import 'server-only'
import { brand } from '@/lib/kernel/brand'

/** The content of a mail; mail-html.tsx draws it when the mail is sent. */
export type MailContent = {
  /** The line that a phone shows next to the subject. */
  preview: string
  heading: string
  paragraphs: string[]
  facts?: [label: string, value: string][]
  button?: { label: string; url: string }
  footer?: string
  /** The address of the page that answers buyers' questions, in mails about their orders. */
  helpUrl?: string
  /**
   * For mails that can be unsubscribed: the page that does it, and the address that a mail program's own button posts
   * to (RFC 8058).
   */
  unsubscribe?: { pageUrl: string; postUrl: string }
  /** The address of the person whose words the mail passes on, so that Reply reaches them and not our support. */
  replyTo?: string
}

export type QueuedMail = {
  dedupeKey: string
  to: string
  subject: string
  text: string
  content: MailContent
  /** A mail that could not be sent until then is not sent at all. */
  expiresAt?: Date
  /** A bulk mail is sent after all other mail that is due. */
  isBulk?: true
  /** An urgent mail is sent by a job of its own and never waits behind other mail. */
  isUrgent?: true
}

/** The kinds of mail that somebody waits for at a screen, has paid for, or needs to notice a stolen account. */
const URGENT = new Set([
  'receipt',
  'refund',
  'late-refund',
  'password-reset',
  'password-changed',
  'confirm-email',
  'email-change',
  'email-change-notice',
  'email-changed',
  'account-change',
  'two-factor',
  'waitlist-claim',
])
/** The kinds of mail that strangers can have sent to any address they like. */
const LAST = new Set(['waitlist-confirm'])

/** The class of a mail, by the kind that its dedupe key begins with (docs/product.md#mail). */
function classOf(dedupeKey: string): Pick<QueuedMail, 'isBulk' | 'isUrgent'> {
  const [kind = ''] = dedupeKey.split(':')
  if (URGENT.has(kind)) return { isUrgent: true }
  return LAST.has(kind) ? { isBulk: true } : {}
}

/** Reduces a subject to one line, whatever a drop's title contains. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

function toText(content: MailContent): string {
  const facts = content.facts?.map(([label, value]) => `${label}: ${value}`).join('\n')
  const button = content.button ? `${content.button.label}: ${content.button.url}` : undefined
  const stop = content.unsubscribe ? `Unsubscribe: ${content.unsubscribe.pageUrl}` : undefined
  const help = content.helpUrl ? `Help with your order: ${content.helpUrl}` : undefined
  const sender = `${brand.name} – ${brand.tagline}`
  return [content.heading, ...content.paragraphs, facts, button, content.footer, help, stop, sender]
    .filter(Boolean)
    .join('\n\n')
}

/** Builds a mail for the outbox; its text part and its HTML part say the same. */
export function composeMail(
  to: string,
  dedupeKey: string,
  { subject, ...content }: MailContent & { subject: string },
): QueuedMail {
  return {
    dedupeKey,
    to,
    subject: oneLine(subject).slice(0, 200),
    text: toText(content),
    content,
    ...classOf(dedupeKey),
  }
}
