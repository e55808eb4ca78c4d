import 'server-only'
import { expectedArrival } from '@/lib/payouts/rules'
import { formatUsd } from '@/lib/kernel/money'
import { disputeText, isInquiry, type RefundRequester } from './rules'
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
  transfer: Pick<NonNullable<OrderRecord['transfer']>, 'sentAt' | 'amountCents'> | null
}

type Reader = 'seller' | 'buyer' | 'bank'

const dayOf = (date: Date) => date.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

/**
 * Builds the history of an order, oldest first, from its rows; there is no separate log.
 * @param reader only the seller sees what happened to the seller's money.
 */
export function orderTimeline(order: Facts, reader: Reader): TimelineEntry[] {
  const entries: (Omit<TimelineEntry, 'at'> & { at: Date | null })[] = [
    { at: order.paidAt, text: `Paid ${formatUsd(order.amountCents)}`, tone: 'good' },
    {
      at: order.shippedAt,
      text: 'Shipped',
      note: [order.carrier, order.trackingNumber].filter(Boolean).join(' '),
      tone: 'good',
    },
    { at: order.deliveredAt, text: arrivalText(order, reader), tone: 'good' },
  ]
  order.downloads.forEach(({ createdAt }, at) =>
    entries.push({ at: createdAt, text: at === 0 ? 'Downloaded' : `Downloaded again (${at + 1})` }),
  )
  for (const refund of order.refunds) entries.push(...refundEntries(refund))
  for (const dispute of order.disputes) {
    const until = dispute.dueAt && !dispute.closedAt && reader === 'seller' ? `Respond by ${dayOf(dispute.dueAt)}` : ''
    const opened = isInquiry(dispute.status) ? 'The bank asked about this payment' : 'Disputed with the bank'
    entries.push({ at: dispute.createdAt, text: opened, note: until, tone: isInquiry(dispute.status) ? 'warn' : 'bad' })
    if (reader === 'seller') entries.push({ at: dispute.submittedAt, text: 'Evidence sent to the bank' })
    entries.push({ at: dispute.closedAt, text: disputeText(dispute.status, reader) })
  }
  if (reader === 'seller' && order.transfer?.sentAt) {
    const { earliest, latest } = expectedArrival(order.transfer.sentAt)
    const note = `Expected at your bank ${dayOf(earliest)} – ${dayOf(latest)}`
    entries.push({ at: order.transfer.sentAt, text: 'Payout sent', note, tone: 'good' })
  }
  return entries
    .filter((entry): entry is typeof entry & { at: Date } => entry.at !== null)
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map((entry) => ({ ...entry, at: entry.at.toISOString() }))
}

/** Names who reported the arrival, which matters to the other party and to a bank. */
function arrivalText({ productType, deliveredBy }: Facts, reader: Reader): string {
  const what = productType === 'physical' ? 'Delivered' : 'Done'
  if (deliveredBy === 'buyer')
    return reader === 'buyer' ? `${what}, you confirmed it` : `${what}, the buyer confirmed it`
  return reader === 'seller' ? what : `${what}, says the seller`
}

/** The reason of a refund that nobody asked for. */
const reasons: Partial<Record<RefundRequester, string>> = {
  system: 'The last unit sold before the payment arrived',
  mismatch: "The amount paid didn't match the order",
  closure: 'The seller’s account was closed',
}

function refundEntries(refund: Facts['refunds'][number]): (Omit<TimelineEntry, 'at'> & { at: Date | null })[] {
  const amount = formatUsd(refund.amountCents)
  const asked = { at: refund.createdAt, text: 'Refund requested', note: refund.reason, tone: 'warn' } as const
  if (refund.state === 'requested') return [asked]
  if (refund.state === 'declined')
    return [asked, { at: refund.settledAt, text: 'Refund declined', note: refund.answer }]
  const note = reasons[refund.requestedBy as RefundRequester] ?? ''
  if (refund.state === 'succeeded')
    return [{ at: refund.settledAt ?? refund.createdAt, text: `${amount} refunded`, note }]
  if (refund.state === 'pending') return [{ at: refund.createdAt, text: `${amount} refunded`, tone: 'warn' }]
  // A refund that Stripe refused at once never happened, so it is not shown.
  return refund.settledAt ? [{ at: refund.settledAt, text: `The bank returned ${amount}`, tone: 'bad' }] : []
}
