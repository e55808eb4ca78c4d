import 'server-only'
import { categoryLabel } from '@/lib/moderation/messages'
import { brand } from '@/lib/kernel/brand'
import { formatMoment } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import type { Penalty } from './rules'

type Seller = { email: string; firstName: string }

type Approved = {
  title: string
  url: string
  isLive: boolean
  startsAt: Date | null
  isOpenEdition: boolean
  movesCodes: boolean
}

/**
 * Notifies the seller that a drop passed its review, and whether it is live, starts later, or ended during the review.
 */
export function dropApprovedMail(seller: Seller & { timezone: string }, drop: Approved, reviewId: number): QueuedMail {
  const starts =
    drop.isLive && drop.startsAt ? `Your drop starts ${formatMoment(drop.startsAt, seller.timezone)}.` : null
  const movedCodes = drop.movesCodes ? 'Your discount codes end later, too, because the start moved. ' : ''
  const next = drop.isOpenEdition ? 'You can publish it again as a new drop.' : 'You can relaunch it.'
  return composeMail(seller.email, `review-approved:${reviewId}`, {
    subject: `We approved ${drop.title}`,
    preview: starts ?? (drop.isLive ? 'Your drop is live now.' : next),
    heading: drop.isLive && !starts ? 'Your drop is live' : 'We approved your drop',
    paragraphs: [
      drop.isLive
        ? `We reviewed “${drop.title}” and approved it. ${starts ? `${starts} ` : ''}${movedCodes}Thank you for waiting.`
        : `We reviewed “${drop.title}” and approved it. It ended during the review, so it isn't live. ${next}`,
    ],
    button: { label: drop.isLive ? 'Open your drop' : 'Go to your dashboard', url: drop.url },
  })
}

const consequence: Record<Penalty | 'none', string> = {
  none: '',
  warning:
    'This is a warning. A second violation suspends your account for 30 days, and a third suspends it permanently.',
  suspension:
    'This is your second violation, so your account is suspended for 30 days. A third one suspends it permanently.',
  ban: 'Your account is suspended permanently.',
}

const whatStays =
  'Your drops are paused. You can still sign in, ship orders, send refunds, export your data and see your payouts.'

/**
 * Returns the email about a rejected drop. It links a suspended seller to the appeal, as the notice on the dashboard
 * does, and any other seller to the policy.
 */
export function dropRemovedMail(
  seller: Seller,
  drop: { title: string; category: string; appUrl: string },
  penalty: Penalty | 'none',
  reviewId: number,
): QueuedMail {
  const isSuspended = penalty === 'suspension' || penalty === 'ban'
  return composeMail(seller.email, `review-rejected:${reviewId}`, {
    subject: `We removed ${drop.title}`,
    preview: penalty === 'warning' ? 'This is a warning.' : 'Your drop breaks our Prohibited Content Policy.',
    heading: 'We removed your drop',
    paragraphs: [
      `We reviewed “${drop.title}” and removed it, because our Prohibited Content Policy doesn't allow ${categoryLabel(drop.category)}.`,
      consequence[penalty],
      isSuspended ? whatStays : '',
    ].filter(Boolean),
    button: isSuspended
      ? { label: 'Appeal', url: `${drop.appUrl}/appeal` }
      : { label: 'Read the policy', url: `${drop.appUrl}/prohibited-content` },
    footer: isSuspended
      ? 'Think this is a mistake? Send an appeal. A person reads every one.'
      : `Think this is a mistake? Write to ${brand.contact.legal}.`,
  })
}

/** Notifies a seller that an administrator removed what was written on the public profile, and says why. */
export function profileClearedMail(
  seller: Seller,
  { reason, appUrl }: { reason: string; appUrl: string },
  key: string,
): QueuedMail {
  return composeMail(seller.email, `profile-cleared:${key}`, {
    subject: 'We removed the text on your profile',
    preview: reason,
    heading: 'We removed the text on your profile',
    paragraphs: [
      'We reviewed your public profile and removed the line about you and your links.',
      `Our reason: ${reason}`,
      'Your drops and your account stay as they are. You can write a new line and add links under Edit Profile.',
    ],
    button: { label: 'Read the policy', url: `${appUrl}/prohibited-content` },
    footer: `Think this is a mistake? Write to ${brand.contact.legal}.`,
  })
}

/** Notifies a seller that a drop was removed by mistake and is back, and that its strike, if any, no longer counts. */
export function dropReturnedMail(
  seller: Seller,
  drop: { title: string; url: string; isStrikeTaken: boolean },
  key: string,
): QueuedMail {
  return composeMail(seller.email, `drop-returned:${key}`, {
    subject: `${drop.title} is back`,
    preview: 'We reviewed our decision and restored your drop.',
    heading: 'Your drop is back',
    paragraphs: [
      `We removed “${drop.title}” by mistake. We reviewed it again and restored it. We're sorry.`,
      drop.isStrikeTaken ? 'The removal no longer counts as a violation.' : '',
    ].filter(Boolean),
    button: { label: 'Open your drop', url: drop.url },
  })
}
