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
  /** A bulk mail is sent only when no other mail is due. */
  isBulk?: true
}

/** Reduces a subject to one line, whatever a drop's title contains. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

function toText(content: MailContent): string {
  const facts = content.facts?.map(([label, value]) => `${label}: ${value}`).join('\n')
  const button = content.button ? `${content.button.label}: ${content.button.url}` : undefined
  const stop = content.unsubscribe ? `Stop these mails: ${content.unsubscribe.pageUrl}` : undefined
  const sender = `${brand.name} – ${brand.tagline}`
  return [content.heading, ...content.paragraphs, facts, button, content.footer, stop, sender]
    .filter(Boolean)
    .join('\n\n')
}

/** Builds a mail for the outbox; its text part and its HTML part say the same. */
export function composeMail(
  to: string,
  dedupeKey: string,
  { subject, ...content }: MailContent & { subject: string },
): QueuedMail {
  return { dedupeKey, to, subject: oneLine(subject).slice(0, 200), text: toText(content), content }
}
