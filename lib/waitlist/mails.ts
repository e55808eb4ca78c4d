import 'server-only'
import { dropPath } from '@/lib/drops/rules'
import { formatUsd } from '@/lib/kernel/money'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { leaveLinks } from './leave-links'

type Entry = { id: number; email: string }
type Drop = { title: string; customSlug: string | null; uniqueId: string; priceCents: number }

/** Asks whether the address wants these emails; nothing else is sent before it confirms. */
export function confirmReminderMail(entry: Entry, drop: Drop, secret: string, appUrl: string): QueuedMail {
  return composeMail(entry.email, `waitlist-confirm:${entry.id}:${secret.slice(0, 12)}`, {
    subject: `Remind you about ${drop.title}?`,
    preview: 'One tap, and you are on the list.',
    heading: 'Shall we remind you?',
    paragraphs: [
      `Somebody, hopefully you, wants to hear when “${drop.title}” can be bought again.`,
      'Tap the button and you are on the list. Without it you will not hear from us.',
    ],
    button: { label: 'Yes, remind me', url: `${appUrl}/remind/confirm?token=${secret}` },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
}

/** @param run ensures that only one email is sent per run. */
export function relaunchMail(entry: Entry, drop: Drop, run: number, appUrl: string): QueuedMail {
  const mail = composeMail(entry.email, `waitlist-relaunch:${entry.id}:${run}`, {
    subject: `${drop.title} is back`,
    preview: `${formatUsd(drop.priceCents)}, until the clock ends.`,
    heading: 'It is back',
    paragraphs: [`“${drop.title}” was launched again, for ${formatUsd(drop.priceCents)}. You asked us to tell you.`],
    button: { label: 'See it', url: appUrl + dropPath(drop) },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
  return { ...mail, isBulk: true }
}

/** A unit is held for this address; the link is valid until `expiresAt`. */
export function claimMail(
  entry: Entry,
  drop: Drop,
  claim: { secret: string; holdId: string; expiresAt: Date },
  appUrl: string,
): QueuedMail {
  const until = `${claim.expiresAt.toISOString().slice(11, 16)} UTC`
  return composeMail(entry.email, `waitlist-claim:${claim.holdId}`, {
    subject: `One ${drop.title} is yours until ${until}`,
    preview: 'Ten minutes, then it goes to the next in line.',
    heading: 'A unit came back, and you are next',
    paragraphs: [`We keep one “${drop.title}” for you until ${until}. After that it goes to the next in line.`],
    facts: [['Price', `${formatUsd(drop.priceCents)} USD`]],
    button: { label: 'Take it', url: `${appUrl}/claim/${claim.secret}` },
    unsubscribe: leaveLinks(entry.id, appUrl),
  })
}
