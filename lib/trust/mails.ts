import 'server-only'
import { categoryLabel } from '@/lib/moderation/messages'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import type { Penalty } from './rules'

type Seller = { email: string; firstName: string }

export function dropApprovedMail(
  seller: Seller,
  drop: { title: string; url: string; isLive: boolean },
  reviewId: number,
): QueuedMail {
  return composeMail(seller.email, `review-approved:${reviewId}`, {
    subject: `${drop.title} was approved`,
    preview: drop.isLive ? 'It is live now.' : 'You can relaunch it.',
    heading: drop.isLive ? 'Your drop is live' : 'Your drop was approved',
    paragraphs: [
      drop.isLive
        ? `We have looked at “${drop.title}” and everything is fine. Thank you for waiting.`
        : `We have looked at “${drop.title}” and everything is fine. Its time ran out meanwhile, and we are sorry for that: you can relaunch it from your dashboard.`,
    ],
    button: { label: drop.isLive ? 'Open your drop' : 'Go to your dashboard', url: drop.url },
  })
}

const consequence: Record<Penalty | 'none', string> = {
  none: '',
  warning: 'This is a warning. A second one suspends your account for 30 days, a third one for good.',
  suspension: 'This is the second time: your account is suspended for 30 days. A third time ends it for good.',
  ban: 'Your account is suspended for good.',
}

const whatStays =
  'Your drops are paused. You can still log in, send what was bought, refund, export and see your payouts.'

/** A warning links to the policy; a suspension links to the appeal, as the notice on the dashboard does. */
export function dropRemovedMail(
  seller: Seller,
  drop: { title: string; category: string; appUrl: string },
  penalty: Penalty | 'none',
  reviewId: number,
): QueuedMail {
  const isSuspended = penalty === 'suspension' || penalty === 'ban'
  return composeMail(seller.email, `review-rejected:${reviewId}`, {
    subject: `${drop.title} was removed`,
    preview: penalty === 'warning' ? 'This is a warning.' : 'It is against our Prohibited Content Policy.',
    heading: 'Your drop was removed',
    paragraphs: [
      `We have looked at “${drop.title}”. It falls under ${categoryLabel(drop.category)}, which our Prohibited Content Policy does not allow, and was removed.`,
      consequence[penalty],
      isSuspended ? whatStays : '',
    ].filter(Boolean),
    button: isSuspended
      ? { label: 'Appeal', url: `${drop.appUrl}/appeal` }
      : { label: 'Read the policy', url: `${drop.appUrl}/prohibited-content` },
    footer: isSuspended
      ? 'If you think this is a mistake, appeal: somebody reads every appeal.'
      : 'If you think we are wrong, write to us: our address is in the Terms of Service.',
  })
}

/** The removal was a mistake: the drop is back and its strike no longer counts. */
export function dropReturnedMail(
  seller: Seller,
  drop: { title: string; url: string; isStrikeTaken: boolean },
  key: string,
): QueuedMail {
  return composeMail(seller.email, `drop-returned:${key}`, {
    subject: `${drop.title} is back`,
    preview: 'We looked again, and it may be sold.',
    heading: 'Your drop is back',
    paragraphs: [
      `We had removed “${drop.title}”. Somebody has looked again: it may be sold, and we are sorry.`,
      drop.isStrikeTaken ? 'The strike for it is taken back.' : '',
    ].filter(Boolean),
    button: { label: 'Open your drop', url: drop.url },
  })
}
