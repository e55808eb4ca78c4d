import 'server-only'
import { brand } from '@/lib/kernel/brand'

/** What a mail says; its look is drawn from this when it is sent (mail-html.tsx). */
export type MailContent = {
  /** The line a phone shows beside the subject. */
  preview: string
  heading: string
  paragraphs: string[]
  facts?: [label: string, value: string][]
  button?: { label: string; url: string }
  footer?: string
  /** Of mail that can be stopped: the page that stops it, and where a mail program's own button posts to (RFC 8058). */
  unsubscribe?: { pageUrl: string; postUrl: string }
}

export type QueuedMail = {
  dedupeKey: string
  to: string
  subject: string
  text: string
  content: MailContent
  /** Sent when nothing that somebody waits for is due. */
  isBulk?: true
}

/** A subject is one line, whatever a title holds. */
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

/** Makes a mail ready for the outbox; text part and HTML part say the same. */
export function composeMail(
  to: string,
  dedupeKey: string,
  { subject, ...content }: MailContent & { subject: string },
): QueuedMail {
  return { dedupeKey, to, subject: oneLine(subject).slice(0, 200), text: toText(content), content }
}
