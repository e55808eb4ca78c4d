import 'server-only'
import type { AddressChange, ShippingDelay } from '@prisma/client'
import { dayOf } from '@/lib/drops/delivery/ship-rules'
import { formatDate, formatDay } from '@/lib/kernel/time'
import { expectedArrival } from '@/lib/payouts/rules'
import { formatUsd } from '@/lib/kernel/money'
import { type AddressColumns, addressLine } from './address-rules'
import type { DelayAnswer } from './late-rules'
import { isInquiry } from '@/lib/kernel/is-inquiry'
import { disputeText } from './dispute-rules'
import type { RefundRequester } from './refund-rules'
import { failedPurchaseNote, mismatchReasons } from './failed-purchase-reasons'
import type { OrderRecord } from './seller-queries'
import type { TimelineEntry } from './view'

type Facts = Pick<
  OrderRecord,
  'paidAt' | 'shippedAt' | 'deliveredAt' | 'deliveredBy' | 'carrier' | 'trackingNumber' | 'amountCents' | 'productType'
> & {
  refunds: readonly Pick<
    OrderRecord['refunds'][number],
    'state' | 'amountCents' | 'createdAt' | 'settledAt' | 'reason' | 'answer' | 'requestedBy'
  >[]
  disputes: readonly Pick<
    OrderRecord['disputes'][number],
    'status' | 'createdAt' | 'closedAt' | 'submittedAt' | 'dueAt'
  >[]
  downloads: readonly { createdAt: Date }[]
  keys: readonly { shownAt: Date | null }[]
  addressChanges: readonly Pick<AddressChange, 'createdAt' | 'before' | 'after' | 'isUndo'>[]
  delays: readonly Pick<ShippingDelay, 'missedDay' | 'newDay' | 'askedAt' | 'answer' | 'answeredAt'>[]
  transfer: Pick<NonNullable<OrderRecord['transfer']>, 'sentAt' | 'sentCents' | 'amountCents' | 'handPayments'> | null
}

/** An entry whose time may be missing, because the event did not happen. */
type UndatedEntry = Omit<TimelineEntry, 'at'> & { at: Date | null }

type Reader = 'seller' | 'buyer' | 'bank'

/**
 * Builds the history of an order from its rows, oldest entry first. There is no separate log.
 * @param reader only the seller sees what happened to the seller's money.
 * @param timezone the seller's time zone, for the days that only the seller sees.
 */
export function orderTimeline(order: Facts, reader: Reader, timezone = 'UTC'): TimelineEntry[] {
  const dayText = (at: Date) => formatDay(at, timezone)
  const entries: UndatedEntry[] = [
    { at: order.paidAt, text: `Paid ${formatUsd(order.amountCents)}`, tone: 'good' },
    {
      at: order.shippedAt,
      text: 'Shipped',
      note: [order.carrier, order.trackingNumber].filter(Boolean).join(' '),
      tone: 'good',
    },
    { at: order.deliveredAt, text: arrivalText(order, reader), tone: 'good' },
  ]
  order.downloads.forEach(({ createdAt }, index) =>
    entries.push({ at: createdAt, text: index === 0 ? 'Downloaded' : `Downloaded again (${index + 1})` }),
  )
  const shown = order.keys.flatMap(({ shownAt }) => shownAt ?? [])
  for (const at of new Set(shown.map((time) => time.getTime()))) {
    const count = shown.filter((time) => time.getTime() === at).length
    const whom = reader === 'buyer' ? 'Key shown to you' : 'Key shown to the buyer'
    entries.push({ at: new Date(at), text: count === 1 ? whom : whom.replace('Key', `${count} keys`) })
  }
  for (const delay of order.delays) entries.push(...delayEntries(delay, reader))
  for (const { createdAt, before, after, isUndo } of order.addressChanges) {
    const [old, now] = [before, after].map((address) => addressLine(address as AddressColumns))
    entries.push({
      at: createdAt,
      text: isUndo ? 'Address restored' : 'Address changed',
      note: `New: ${now}. Old: ${old}.`,
    })
  }
  for (const refund of order.refunds) entries.push(...refundEntries(refund))
  for (const dispute of order.disputes) {
    const until =
      dispute.dueAt && !dispute.closedAt && reader === 'seller' ? `Respond by ${dayText(dispute.dueAt)}` : ''
    const opened = isInquiry(dispute.status) ? 'The bank asked about this payment' : 'Disputed with the bank'
    entries.push({ at: dispute.createdAt, text: opened, note: until, tone: isInquiry(dispute.status) ? 'warn' : 'bad' })
    if (reader === 'seller') entries.push({ at: dispute.submittedAt, text: 'Evidence sent to the bank' })
    entries.push({ at: dispute.closedAt, text: disputeText(dispute.status, reader) })
  }
  const { sentAt = null, sentCents = null, handPayments = [] } = (reader === 'seller' && order.transfer) || {}
  for (const { createdAt, amountCents, reference } of handPayments) {
    const text = `Payout of ${formatUsd(amountCents)} paid by bank transfer`
    entries.push({ at: createdAt, text, note: `Reference: ${reference}`, tone: 'good' })
  }
  // If all of a payout was withheld for debts, it is complete although nothing was sent.
  if (sentAt && sentCents !== 0 && handPayments.length === 0) {
    const { earliest, latest } = expectedArrival(sentAt)
    const note = `Expected at your bank ${dayText(earliest)} – ${dayText(latest)}`
    entries.push({ at: sentAt, text: 'Payout sent', note, tone: 'good' })
  }
  return entries
    .filter((entry): entry is typeof entry & { at: Date } => entry.at !== null)
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map((entry) => ({ ...entry, at: entry.at.toISOString() }))
}

/**
 * The text of the delivery. It names who reported the delivery, because that matters to the other party and to a bank.
 */
function arrivalText({ productType, deliveredBy }: Facts, reader: Reader): string {
  const what = productType === 'physical' ? 'Delivered' : 'Completed'
  if (deliveredBy === 'buyer')
    return reader === 'buyer' ? `${what} (you confirmed it)` : `${what} (the buyer confirmed it)`
  return reader === 'seller' ? what : `${what} (reported by the seller)`
}

function delayEntries(delay: Facts['delays'][number], reader: Reader): UndatedEntry[] {
  const [missed, until] = [delay.missedDay, delay.newDay].map((day) => formatDate(dayOf(day)))
  const buyer = reader === 'buyer' ? 'You' : 'The buyer'
  const answers: Record<DelayAnswer, string> = {
    wait: `${buyer} agreed to wait until ${until}`,
    refund: `${buyer} didn't want to wait`,
    silence: `${buyer} didn't answer in time`,
  }
  const asked = `Shipping was promised by ${missed}. ${reader === 'buyer' ? 'You were' : 'The buyer was'} asked to wait until ${until}.`
  return [
    { at: delay.askedAt, text: 'Shipping delayed', note: asked, tone: 'warn' },
    ...(delay.answer ? [{ at: delay.answeredAt, text: answers[delay.answer as DelayAnswer] }] : []),
  ]
}

/** The reasons for refunds that the platform makes. If a payment got no unit, the reason is in `refund.reason`. */
const reasons: Partial<Record<RefundRequester, string>> = {
  mismatch: "The amount paid didn't match the order",
  closure: "The seller's account was closed",
  late: "The order wasn't shipped in time",
}

/** Why a payment with a wrong address bought nothing, by the reason of its refund. */
const addressNotes: Record<string, string> = {
  [mismatchReasons.otherCountry]: 'The address was in another country',
  [mismatchReasons.unservedAddress]: 'The address was missing or in a country that nobody ships to',
}

function refundEntries(refund: Facts['refunds'][number]): UndatedEntry[] {
  const amount = formatUsd(refund.amountCents)
  const asked = { at: refund.createdAt, text: 'Refund requested', note: refund.reason, tone: 'warn' } as const
  if (refund.state === 'requested') return [asked]
  if (refund.state === 'declined')
    return [asked, { at: refund.settledAt, text: 'Refund declined', note: refund.answer }]
  const wrongAddress = refund.requestedBy === 'mismatch' ? addressNotes[refund.reason] : undefined
  const note =
    refund.requestedBy === 'system'
      ? failedPurchaseNote(refund.reason)
      : (wrongAddress ?? reasons[refund.requestedBy as RefundRequester] ?? '')
  if (refund.state === 'succeeded')
    return [{ at: refund.settledAt ?? refund.createdAt, text: `${amount} refunded`, note }]
  if (refund.state === 'pending')
    return [{ at: refund.createdAt, text: `Refund of ${amount} on its way`, tone: 'warn' }]
  // A refund that Stripe refused right away never happened, so it is not shown.
  return refund.settledAt ? [{ at: refund.settledAt, text: `The bank returned ${amount}`, tone: 'bad' }] : []
}
