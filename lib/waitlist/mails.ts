import 'server-only'
import { type MailedPhoto, photoOfMail } from '@/lib/drops/mails'
import { dropPath } from '@/lib/drops/rules'
import { CANCEL_NEWS_HOURS } from '@/lib/drops/start/start-rules'
import { priceText } from '@/lib/drops/delivery/zone-messages'
import { formatMoment, HOUR_MS } from '@/lib/kernel/time'
import { composeMail, generalSupport, type QueuedMail } from '@/lib/notifications/compose-mail'
import { leaveLinks } from './leave-links'

type Entry = { id: number; email: string }
/** The receiver of an email that names times: in this time zone, or in UTC if it is null. */
type Reader = Entry & { timezone: string | null }
type Drop = {
  title: string
  customSlug: string | null
  uniqueId: string
  priceCents: number
  hasSurcharge: boolean
  /** The first photo of the drop. */
  photo?: MailedPhoto | null
}

/** What email programs turn into a link. */
const LINK = /:\/\/|www\./i

/**
 * Asks whether the recipient wants these emails. No other email is sent before the confirmation.
 * @param drop.startsAt the start of a scheduled drop, which the reminder announces; otherwise null.
 */
export function confirmReminderMail(
  entry: Reader,
  drop: Pick<Drop, 'title'> & { startsAt: Date | null },
  secret: string,
  appUrl: string,
): QueuedMail {
  // Any visitor can enter any address, so a seller's link must not reach people who did not ask for this email.
  const name = LINK.test(drop.title) ? 'a drop' : `“${drop.title}”`
  const wish = drop.startsAt
    ? `You asked us to remind you of ${name}, which starts ${formatMoment(drop.startsAt, entry.timezone)}.`
    : `You asked to hear when ${name} is available again.`
  return composeMail(entry.email, `waitlist-confirm:${entry.id}:${secret.slice(0, 12)}`, {
    subject: 'Confirm your reminder',
    preview: 'Open the link and tap the button to confirm.',
    heading: 'Confirm your reminder',
    paragraphs: [
      wish,
      "Open the page with the button below and confirm there. Didn't ask for this? You can ignore this email: without your confirmation, we won't send you the reminder.",
    ],
    button: { label: 'Yes, remind me', url: `${appUrl}/remind/confirm?token=${secret}` },
    support: generalSupport,
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
}

/**
 * Returns the reminder of a start. People who could not be reminded in time get it after the start. A reminder before
 * the start expires at the start, and a later one at the end of the drop.
 */
export function startMail(
  entry: Reader,
  drop: Drop,
  start: { run: number; at: Date; end: Date; isAhead: boolean },
  appUrl: string,
): QueuedMail {
  const moment = formatMoment(start.at, entry.timezone)
  const price = priceText(drop)
  const headline = start.isAhead ? `${drop.title} starts ${moment}` : `${drop.title} has started`
  const mail = composeMail(entry.email, `waitlist-start:${entry.id}:${start.run}:${start.at.getTime()}`, {
    subject: headline,
    preview: `${price}, until ${formatMoment(start.end, entry.timezone)}.`,
    heading: headline,
    paragraphs: [
      start.isAhead
        ? `You asked us to remind you. You can buy “${drop.title}” for ${price} from ${moment}. The drop's page counts down to the start and updates by itself.`
        : `You asked us to remind you. “${drop.title}” is on sale now for ${price}.`,
    ],
    ...photoOfMail(drop.photo, drop.title, appUrl),
    button: { label: 'View the drop', url: appUrl + dropPath(drop) },
    support: generalSupport,
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, expiresAt: start.isAhead ? start.at : start.end }
}

/** Says to a person who was reminded of a start that it was canceled. An open edition has no later run. */
export function canceledMail(
  entry: Reader,
  drop: Drop & { isOpenEdition: boolean },
  start: { run: number; at: Date; end: Date },
  appUrl: string,
): QueuedMail {
  const headline = `Canceled: ${drop.title}`
  const moment = formatMoment(start.at, entry.timezone)
  const mail = composeMail(entry.email, `waitlist-canceled:${entry.id}:${start.run}:${start.at.getTime()}`, {
    subject: headline,
    preview: `The start planned for ${moment} was canceled.`,
    heading: headline,
    paragraphs: [
      `The start of “${drop.title}”, planned for ${moment}, was canceled.${drop.isOpenEdition ? '' : " If the drop goes on sale after all, we'll email you."}`,
    ],
    ...photoOfMail(drop.photo, drop.title, appUrl),
    button: { label: 'View the drop', url: appUrl + dropPath(drop) },
    support: generalSupport,
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, expiresAt: new Date(start.end.getTime() + CANCEL_NEWS_HOURS * HOUR_MS) }
}

/**
 * Says that a drop is back. It is not sent after the end of the run.
 * @param run is part of the email's key, so that only one email is sent per run.
 */
export function relaunchMail(
  entry: Entry,
  drop: Drop,
  { run, end }: { run: number; end: Date },
  appUrl: string,
): QueuedMail {
  const mail = composeMail(entry.email, `waitlist-relaunch:${entry.id}:${run}`, {
    subject: `${drop.title} is back`,
    preview: `${priceText(drop)}, at the same link.`,
    heading: `${drop.title} is back`,
    paragraphs: [`You asked us to let you know. “${drop.title}” is available again for ${priceText(drop)}.`],
    ...photoOfMail(drop.photo, drop.title, appUrl),
    button: { label: 'View the drop', url: appUrl + dropPath(drop) },
    support: generalSupport,
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, expiresAt: end }
}

/** Offers a person the unit that is held for them. It is not sent after the offer has ended. */
export function claimMail(
  entry: Entry,
  drop: Drop,
  claim: { secret: string; holdId: string; expiresAt: Date },
  appUrl: string,
): QueuedMail {
  const mail = composeMail(entry.email, `waitlist-claim:${claim.holdId}`, {
    subject: `Reserved for you: ${drop.title}`,
    preview: 'You have 10 minutes to buy it.',
    heading: "It's your turn",
    paragraphs: [
      `We reserved one “${drop.title}” for you. You have 10 minutes from when we sent this email. After that, other buyers can get it, and we can't reserve another one for you until this drop returns.`,
    ],
    facts: [['Price', drop.hasSurcharge ? priceText(drop) : `${priceText(drop)} USD`]],
    button: { label: 'Buy now', url: `${appUrl}/claim/${claim.secret}` },
    support: generalSupport,
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, expiresAt: claim.expiresAt }
}
