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
export const classOfKind = {
  receipt: 'urgent',
  refund: 'urgent',
  'refund-returned': 'urgent',
  'late-refund': 'urgent',
  'late-refund-failed': 'urgent',
  'mismatch-refund': 'urgent',
  'closure-refund-failed': 'urgent',
  'pro-money-back': 'urgent',
  'pro-money-back-failed': 'urgent',
  'find-order': 'urgent',
  'waitlist-claim': 'urgent',
  'password-reset': 'urgent',
  'password-changed': 'urgent',
  'confirm-email': 'urgent',
  'email-change': 'urgent',
  'email-change-notice': 'urgent',
  'email-changed': 'urgent',
  username: 'urgent',
  'username-changed': 'urgent',
  'new-login': 'urgent',
  'two-factor': 'urgent',
  'passkey-added': 'urgent',
  'passkey-removed': 'urgent',
  'payouts-connected': 'urgent',
  'account-closed': 'urgent',
  sale: 'normal',
  'late-shipping': 'normal',
  message: 'normal',
  'refund-request': 'normal',
  'refund-failed': 'normal',
  'refund-not-covered': 'normal',
  'refund-owed': 'normal',
  'pro-refund-owed': 'normal',
  shipped: 'normal',
  delivered: 'normal',
  'refund-declined': 'normal',
  inquiry: 'normal',
  dispute: 'normal',
  'dispute-closed': 'normal',
  'ship-soon': 'normal',
  delay: 'normal',
  'delay-seller': 'normal',
  'delay-wait': 'normal',
  address: 'normal',
  'address-seller': 'normal',
  'late-order-refund-seller': 'normal',
  'payouts-paused': 'normal',
  'payouts-disconnected': 'normal',
  'pro-started': 'normal',
  'pro-failed': 'normal',
  'pro-ended': 'normal',
  suspended: 'normal',
  'suspension-lifted': 'normal',
  'suspension-kept': 'normal',
  'review-approved': 'normal',
  'review-rejected': 'normal',
  'profile-cleared': 'normal',
  'drop-returned': 'normal',
  'drop-link': 'normal',
  'waitlist-confirm': 'bulk',
  'waitlist-start': 'bulk',
  'waitlist-relaunch': 'bulk',
  'follow-confirm': 'bulk',
  'follow-scheduled': 'bulk',
  'follow-live': 'bulk',
  'follow-lastHour': 'bulk',
  'follow-canceled': 'bulk',
  'waitlist-canceled': 'bulk',
  recap: 'bulk',
  renewed: 'bulk',
} as const satisfies Record<string, 'urgent' | 'normal' | 'bulk'>

export type MailKind = keyof typeof classOfKind

/** The dedupe key of an email. At most one email with a key is ever queued. */
export type MailKey = `${MailKind}:${string}`

function classOf(dedupeKey: MailKey): Pick<QueuedMail, 'isBulk' | 'isUrgent'> {
  const kind = dedupeKey.slice(0, dedupeKey.indexOf(':')) as MailKind
  const mailClass = classOfKind[kind]
  if (mailClass === 'urgent') return { isUrgent: true }
  return mailClass === 'bulk' ? { isBulk: true } : {}
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
  dedupeKey: MailKey,
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
