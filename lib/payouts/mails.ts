import 'server-only'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { demandText, suggestionText } from '@/lib/drops/analytics/demand-messages'
import { sourceLabels } from '@/lib/drops/messages'
import { conversionText, relaunchAt } from '@/lib/drops/rules'
import { durationText } from '@/lib/drops/history/history-rules'
import { formatCount } from '@/lib/kernel/format-count'
import { formatSignedUsd, formatUsd } from '@/lib/kernel/money'
import type { Plan } from '@/lib/kernel/plan'
import { formatMoment } from '@/lib/kernel/time'
import { payoutDayText, payoutStateTexts, recapTexts, soldOfText } from './messages'
import type { PayoutsState } from './rules'
import type { RecapView } from './view'

/** `timezone` is the time zone that the seller has chosen in the settings. */
type RecapRecipient = { email: string; firstName: string; timezone: string; plan: Plan; payoutsState: PayoutsState }

/**
 * Returns the email to the seller about a run that ended (docs/product.md#recap). It has the figures of the recap's
 * page. It is sent once for each end, because an administrator may extend a run that has ended.
 */
export function recapMail(recap: RecapView, seller: RecapRecipient, appUrl: string, now: Date): QueuedMail {
  const { title, sold, checkouts, money, proSavesCents } = recap
  const revenue = formatUsd(money.paidCents)
  const sales = sold === 1 ? '1 sale' : `${formatCount(sold)} sales`
  const payout = payoutDayText(money, seller.payoutsState, seller.timezone, now)
  return composeMail(seller.email, `recap:${recap.dropId}:${recap.run}:${recap.endTime.getTime()}`, {
    subject: `Your drop has ended: ${title}`,
    preview: `${sales}, ${revenue}.`,
    heading: sold > 0 ? `${sales}, ${seller.firstName}` : 'Your drop has ended',
    paragraphs: [
      sold > 0 ? `${title} has ended. Here's how it went.` : `${title} has ended without a sale this time.`,
      recap.isOpenEdition
        ? 'This open edition is closed forever. Its page says how many were ordered.'
        : `You can relaunch it with the same link from ${formatMoment(relaunchAt(recap.endTime), seller.timezone)}.`,
      ...(payout ? [payout] : []),
      ...(seller.plan === 'free' && proSavesCents > 0 ? [recapTexts.proSaves(formatUsd(proSavesCents))] : []),
      ...(checkouts.open > 0 ? [recapTexts.stillOpen(checkouts.open)] : []),
    ],
    facts: recapFacts(recap),
    button: { label: 'See the full recap', url: `${appUrl}/recap/${recap.dropId}/${recap.run}` },
    footer: 'You can turn these emails off in Settings, under Email notifications.',
  })
}

/** Returns the figures of the email. Figures that do not apply are left out. */
function recapFacts(recap: RecapView): [string, string][] {
  const { sold, views, values, sources, money, soldOutMs, waiting, isOpenEdition } = recap
  const choices = (values ?? []).map((row) => `${row.value ?? recapTexts.removedChoices} ${soldOfText(row)}`)
  const channels = (sources ?? []).map((row) => `${sourceLabels[row.source]} ${row.views} (${row.paid} paid)`)
  const facts: [label: string, value: string][] = [
    ['Views', formatCount(views)],
    isOpenEdition ? ['Ordered', formatCount(sold)] : ['Sold', `${formatCount(sold)} of ${formatCount(recap.quantity)}`],
    [recap.optionName ?? '', choices.join(', ')],
    ['Conversion', conversionText(sold, views)],
    [isOpenEdition ? 'Cap reached in' : 'Sold out in', soldOutMs === null ? '' : durationText(soldOutMs)],
    ['Unpaid checkouts', recap.checkouts.unpaid > 0 ? formatCount(recap.checkouts.unpaid) : ''],
    ['Revenue', formatUsd(money.paidCents)],
    ['Refunds', money.refundedCents > 0 ? formatSignedUsd(-money.refundedCents) : ''],
    ['You keep', money.paidCents > 0 ? formatSignedUsd(money.netCents) : ''],
    ['Where views came from', channels.join(', ')],
    [
      'Waitlist',
      waiting ? [demandText(waiting, false), isOpenEdition ? '' : suggestionText(waiting)].join(' ').trim() : '',
    ],
  ]
  return facts.filter(([, value]) => value !== '')
}

type NewAccount = { undoUrl: string; heldUntil: Date | null; timezone: string }

/** Returns the email to the owner about a new connected account. Its link removes that account again (ADR 0069). */
export function payoutsConnectedMail(to: string, about: NewAccount, tokenId: number): QueuedMail {
  const { undoUrl, heldUntil, timezone } = about
  return composeMail(to, `payouts-connected:${tokenId}`, {
    subject: 'Payouts connected',
    preview: 'Your payouts go to a new Stripe account.',
    heading: 'Payouts connected',
    paragraphs: [
      heldUntil
        ? `Your payouts go to a new Stripe account. To keep your money safe, we send the first one on ${formatMoment(heldUntil, timezone)} at the earliest.`
        : 'Your payouts go to a new Stripe account once Stripe has the details it needs.',
      "Wasn't you? Take your account back with the button below. We'll disconnect this Stripe account and sign out every device, and you'll choose a new password. The link works for three days.",
    ],
    button: { label: "It wasn't me", url: undoUrl },
  })
}

/** @param key prevents a second email about the same pause */
export function payoutsPausedMail(seller: { email: string }, key: string, appUrl: string): QueuedMail {
  return composeMail(seller.email, `payouts-paused:${key}`, {
    subject: 'Your payouts are paused',
    preview: 'Stripe needs more information from you.',
    heading: 'Your payouts are paused',
    paragraphs: [payoutStateTexts.paused.text],
    button: { label: "See what's needed", url: `${appUrl}/payouts` },
    footer: 'We keep your payouts for you and send them as soon as Stripe has what it needs.',
  })
}

/** @param key prevents a second email about the same account */
export function payoutsDisconnectedMail(seller: { email: string }, key: string, appUrl: string): QueuedMail {
  return composeMail(seller.email, `payouts-disconnected:${key}`, {
    subject: 'Please connect your payouts again',
    preview: 'Your Stripe account is no longer connected.',
    heading: 'Your payouts are paused',
    paragraphs: [payoutStateTexts.disconnected.text],
    button: { label: 'Connect again', url: `${appUrl}/payouts` },
    footer: 'We keep your payouts for you and send them as soon as you connect again.',
  })
}
