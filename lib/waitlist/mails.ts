import 'server-only'
import { dropPath } from '@/lib/drops/rules'
import { formatUsd } from '@/lib/kernel/money'
import { formatUtc } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { leaveLinks } from './leave-links'

type Entry = { id: number; email: string }
type Drop = { title: string; customSlug: string | null; uniqueId: string; priceCents: number }

/**
 * Asks whether the address wants these emails; nothing else is sent before it confirms.
 * @param drop.startsAt the start of a scheduled drop, which is what the reminder is about; otherwise null.
 */
export function confirmReminderMail(
  entry: Entry,
  drop: Drop & { startsAt: Date | null },
  secret: string,
  appUrl: string,
): QueuedMail {
  const wish = drop.startsAt
    ? `You asked us to remind you of “${drop.title}”, which starts ${formatUtc(drop.startsAt)}.`
    : `You asked to hear when “${drop.title}” is available again.`
  return composeMail(entry.email, `waitlist-confirm:${entry.id}:${secret.slice(0, 12)}`, {
    subject: `Confirm your reminder: ${drop.title}`,
    preview: 'Confirm with one tap.',
    heading: 'Confirm your reminder',
    paragraphs: [
      wish,
      "Tap the button to join the list. Wasn't you? You can ignore this email, and we won't write again.",
    ],
    button: { label: 'Yes, remind me', url: `${appUrl}/remind/confirm?token=${secret}` },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
}

/**
 * The reminder of a start: before it, and for those who could not be reminded then, once the drop has started. It is of no use
 * after the start, or after the end.
 */
export function startMail(
  entry: Entry,
  drop: Drop,
  start: { run: number; at: Date; end: Date; isAhead: boolean },
  appUrl: string,
): QueuedMail {
  const moment = formatUtc(start.at)
  const price = formatUsd(drop.priceCents)
  const headline = start.isAhead ? `${drop.title} starts ${moment}` : `${drop.title} has started`
  const mail = composeMail(entry.email, `waitlist-start:${entry.id}:${start.run}:${start.at.getTime()}`, {
    subject: headline,
    preview: `${price}, for a limited time.`,
    heading: headline,
    paragraphs: [
      start.isAhead
        ? `You asked us to remind you: “${drop.title}” can be bought for ${price} from ${moment}. Its page shows the time on your clock and opens by itself.`
        : `You asked us to remind you: “${drop.title}” can be bought now, for ${price}.`,
    ],
    button: { label: 'View the drop', url: appUrl + dropPath(drop) },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, isBulk: true, expiresAt: start.isAhead ? start.at : start.end }
}

/** @param run ensures that only one email is sent per run. */
export function relaunchMail(entry: Entry, drop: Drop, run: number, appUrl: string): QueuedMail {
  const mail = composeMail(entry.email, `waitlist-relaunch:${entry.id}:${run}`, {
    subject: `${drop.title} is back`,
    preview: `${formatUsd(drop.priceCents)}, for a limited time.`,
    heading: `${drop.title} is back`,
    paragraphs: [`You asked us to let you know: “${drop.title}” is available again for ${formatUsd(drop.priceCents)}.`],
    button: { label: 'View the drop', url: appUrl + dropPath(drop) },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, isBulk: true }
}

/** Tells the person that a unit is held for them. */
export function claimMail(
  entry: Entry,
  drop: Drop,
  claim: { secret: string; holdId: string },
  appUrl: string,
): QueuedMail {
  return composeMail(entry.email, `waitlist-claim:${claim.holdId}`, {
    subject: `Reserved for you: ${drop.title}`,
    preview: 'You have 10 minutes to buy it.',
    heading: "It's your turn",
    paragraphs: [
      `We reserved one “${drop.title}” for you. You have 10 minutes from when we sent this email. Then it goes to the next person in line.`,
    ],
    facts: [['Price', `${formatUsd(drop.priceCents)} USD`]],
    button: { label: 'Buy now', url: `${appUrl}/claim/${claim.secret}` },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
}
