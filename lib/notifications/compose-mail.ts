import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { cutText } from '@/lib/kernel/text'

/** The content of an email. mailHtml() turns it into HTML when the email is sent or shown. */
export type MailContent = {
  /** The line that a phone shows next to the subject. */
  preview: string
  heading: string
  paragraphs: string[]
  facts?: [label: string, value: string][]
  button?: { label: string; url: string }
  footer?: string
  /** The URL of the page that answers buyers' questions, in emails about their orders. */
  helpUrl?: string
  /** The sentence that says whom the reader can ask. */
  support?: string
  /** The first photo of the drop, in emails about one drop. The email can be understood without it. */
  photo?: MailPhoto
  /**
   * For emails from which the reader can unsubscribe: the page that unsubscribes the reader, and the URL to which an
   * email program's own button posts (RFC 8058).
   */
  unsubscribe?: { pageUrl: string; postUrl: string }
  /**
   * The email address of the person whose message the email contains, so that replies reach this person and not our
   * support.
   */
  replyTo?: string
}

/** A photo that an email program loads from our host. `url` is absolute. */
type MailPhoto = { url: string; alt: string }

/** Says whom a buyer can ask about an order. */
export const orderSupport = `Questions? Message the seller on your order page, or write to ${brand.contact.support}.`

/** Says whom a reader can ask who has no order. */
export const generalSupport = `Questions? Write to ${brand.contact.support}.`

export type QueuedMail = {
  dedupeKey: string
  to: string
  subject: string
  text: string
  content: MailContent
  /** An email that was not sent by this time is never sent. */
  expiresAt?: Date
  /** A bulk email is sent after all other emails that are due. */
  isBulk?: true
  /** An urgent email is sent by a job of its own, so it never waits for emails that are not urgent. */
  isUrgent?: true
  /** The notice to followers to which the email belongs (ADR 0058). */
  noticeId?: number
}

/**
 * The class of every kind of email. The dedupe key of an email begins with its kind. An email is urgent if a person
 * waits for it at a screen, if it is about a buyer's money or a refund of Pro, or if it reveals a stolen account. News
 * and the kinds that strangers can request for any address are bulk (docs/product.md#mail).
 */
export const mailKinds: Record<'urgent' | 'normal' | 'bulk', readonly string[]> = {
  urgent: [
    ...['receipt', 'refund', 'refund-returned', 'late-refund', 'late-refund-failed', 'mismatch-refund'],
    'closure-refund-failed',
    ...['pro-money-back', 'pro-money-back-failed', 'find-order', 'waitlist-claim'],
    ...['password-reset', 'password-changed', 'confirm-email', 'email-change', 'email-change-notice', 'email-changed'],
    ...['username', 'username-changed', 'new-login', 'two-factor', 'passkey-added', 'passkey-removed'],
    ...['payouts-connected', 'account-closed'],
  ],
  normal: [
    ...[
      'sale',
      'late-shipping',
      'message',
      'refund-request',
      'refund-failed',
      'refund-not-covered',
      'refund-owed',
      'pro-refund-owed',
    ],
    ...['shipped', 'delivered', 'refund-declined', 'inquiry', 'dispute', 'dispute-closed'],
    ...['ship-soon', 'delay', 'delay-seller', 'delay-wait', 'address', 'address-seller', 'late-order-refund-seller'],
    ...['payouts-paused', 'payouts-disconnected', 'pro-started', 'pro-failed', 'pro-ended'],
    ...['suspended', 'suspension-lifted', 'suspension-kept'],
    ...['review-approved', 'review-rejected', 'profile-cleared', 'drop-returned', 'drop-link'],
  ],
  bulk: [
    ...['waitlist-confirm', 'waitlist-start', 'waitlist-relaunch', 'follow-confirm'],
    ...['follow-scheduled', 'follow-live', 'follow-lastHour', 'follow-canceled', 'waitlist-canceled'],
    ...['recap', 'renewed'],
  ],
}

function classOf(dedupeKey: string): Pick<QueuedMail, 'isBulk' | 'isUrgent'> {
  const [kind = ''] = dedupeKey.split(':')
  if (mailKinds.urgent.includes(kind)) return { isUrgent: true }
  return mailKinds.bulk.includes(kind) ? { isBulk: true } : {}
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
  return [content.heading, ...content.paragraphs, facts, button, content.footer, content.support, help, stop, sender]
    .filter(Boolean)
    .join('\n\n')
}

/** Builds an email for the outbox. Its text and its HTML have the same heading, paragraphs, facts, links and footer. */
export function composeMail(
  to: string,
  dedupeKey: string,
  { subject, ...content }: MailContent & { subject: string },
): QueuedMail {
  return {
    dedupeKey,
    to,
    subject: cutText(oneLine(subject), 200),
    text: toText(content),
    content,
    ...classOf(dedupeKey),
  }
}

/** Returns an email of an urgent kind for the normal sender, because nobody is known to wait for it. */
export function notUrgent({ isUrgent: _, ...mail }: QueuedMail): QueuedMail {
  return mail
}
