import 'server-only'
import { type MailedPhoto, photoOfMail } from '@/lib/drops/mails'
import { dropPath } from '@/lib/drops/rules'
import { pathWithEarly } from '@/lib/drops/start/early-rules'
import { CANCEL_NEWS_HOURS } from '@/lib/drops/start/start-rules'
import { priceText } from '@/lib/drops/delivery/zone-messages'
import { formatDay, formatMoment, HOUR_MS } from '@/lib/kernel/time'
import { composeMail, generalSupport, type QueuedMail } from '@/lib/notifications/compose-mail'
import { noticeKey, type NoticeKind } from '@/lib/notifications/notice-key'
import { unfollowLinks } from './unfollow-links'
import { consentText } from './messages'
import { CONFIRM_WITHIN_DAYS } from './rules'

/** Asks whether the recipient wants these emails. No other email is sent before the confirmation. */
export function confirmFollowMail(
  follower: { id: number; email: string },
  username: string,
  secret: string,
  appUrl: string,
): QueuedMail {
  return composeMail(follower.email, `follow-confirm:${follower.id}:${secret.slice(0, 12)}`, {
    subject: `Confirm: emails about @${username}'s drops`,
    preview: 'Open the link and tap the button to confirm.',
    heading: `Hear about @${username}'s next drop?`,
    paragraphs: [
      `You asked for this: “${consentText(username)}”`,
      `Open the page with the button below and confirm there within ${CONFIRM_WITHIN_DAYS} days. Didn't ask for this? You can ignore this email: without your confirmation, we won't send you others about these drops.`,
    ],
    button: { label: 'Confirm', url: `${appUrl}/follow/confirm?token=${secret}` },
    support: generalSupport,
    unsubscribe: unfollowLinks(follower.id, appUrl),
  })
}

/** The facts about a drop that an email to its seller's followers uses. */
export type Announced = {
  noticeId: number
  kind: NoticeKind
  dropId: number
  username: string
  title: string
  customSlug: string | null
  uniqueId: string
  priceCents: number
  /** Whether an order to some country has a surcharge for shipping. */
  hasSurcharge: boolean
  startedAt: Date
  endTime: Date
  /** Whether the drop sells as many units as are ordered until its end. */
  isOpenEdition: boolean
  /** When personal links begin to work, while the public start of a drop with early access is still to come. */
  earlyOpensAt: Date | null
  /** Whether auto-renew may start another run, so that this is not the last time. */
  mayReturn: boolean
  /** The first photo of the drop. */
  photo?: MailedPhoto | null
}

/**
 * Returns one of the emails about a drop. None of them says that an end is the last chance
 * (docs/product.md#history-of-a-drop). The first email and an email with a personal link are never sent after the
 * start, and the others are never sent after the end. The email about a canceled start is sent for a few hours only.
 * @param token the token of the follower's personal link. The email then has this link, and replaces the email that
 *   says that the drop has started (docs/product.md#early-access).
 */
export function noticeMail(
  follower: { id: number; email: string; confirmedAt: Date; timezone: string | null },
  drop: Announced,
  appUrl: string,
  token?: string,
): QueuedMail {
  const { username } = drop
  const when = (at: Date) => formatMoment(at, follower.timezone)
  const { subject, text } = token && drop.earlyOpensAt ? earlyWords(drop, when(drop.earlyOpensAt)) : wordsOf(drop, when)
  const mail = composeMail(follower.email, noticeKey(drop.kind, drop.dropId, follower.id), {
    subject,
    preview:
      drop.kind === 'canceled'
        ? `The start planned for ${when(drop.startedAt)} was canceled.`
        : `${priceText(drop)}, until ${when(drop.endTime)}.`,
    heading: subject,
    paragraphs: [text],
    ...photoOfMail(drop.photo, drop.title, appUrl),
    button: token
      ? { label: 'Open your link', url: appUrl + pathWithEarly(dropPath(drop), token) }
      : { label: 'View the drop', url: appUrl + dropPath(drop) },
    footer: `You get this email because you asked on ${formatDay(follower.confirmedAt, follower.timezone ?? 'UTC')} to hear about @${username}'s drops. We send at most three emails about each one.`,
    support: generalSupport,
    unsubscribe: unfollowLinks(follower.id, appUrl),
  })
  const newsEnd = new Date(drop.endTime.getTime() + CANCEL_NEWS_HOURS * HOUR_MS)
  const expiresAt =
    drop.kind === 'canceled' ? newsEnd : drop.kind === 'scheduled' || token ? drop.startedAt : drop.endTime
  return { ...mail, expiresAt, noticeId: drop.noticeId }
}

function earlyWords(drop: Announced, opens: string) {
  const { username, title } = drop
  return {
    subject: `Your early access to ${title} by @${username}`,
    text: `As a follower of @${username} you can buy “${title}” for ${priceText(drop)} before everyone else, from ${opens} until the public start. The units for followers are limited. Your link works for one order and is yours alone, so please don't pass it on.`,
  }
}

function wordsOf(drop: Announced, when: (at: Date) => string) {
  const { kind, username, title, startedAt, endTime, isOpenEdition, earlyOpensAt, mayReturn } = drop
  const price = priceText(drop)
  if (kind === 'scheduled') {
    const start = when(startedAt)
    const first = earlyOpensAt
      ? ` Followers can buy first. Shortly before ${when(earlyOpensAt)} we'll email you a personal link.`
      : ''
    return {
      subject: `${title} by @${username} starts ${start}`,
      text: `@${username} has a new drop. You can buy “${title}” for ${price} from ${start}. The drop's page counts down to the start and updates by itself.${first}`,
    }
  }
  if (kind === 'canceled') {
    return {
      subject: `Canceled: ${title} by @${username}`,
      text: `The start of “${title}” by @${username}, planned for ${when(startedAt)}, was canceled. Nothing was sold.`,
    }
  }
  const end = when(endTime)
  const limit = isOpenEdition ? '. This open edition closes forever then' : ' or until every unit is sold'
  if (kind === 'live') {
    return {
      subject: `@${username}'s drop has started: ${title}`,
      text: `“${title}” is on sale now for ${price}, until ${end}${limit}.`,
    }
  }
  return {
    subject: `${title} by @${username} ends ${end}`,
    text: `You can buy “${title}” for ${price} until ${end}${limit}.${mayReturn ? ' It may come back after that.' : ''}`,
  }
}
