import { isInquiry } from '@/lib/kernel/is-inquiry'
import { MINUTE_MS } from '@/lib/kernel/time'
import { type RefundedParts, unrefundedUnits } from '@/lib/stock/unit-rules'
import type { OrderStatus } from './rules'

/** Stripe's statuses of an open dispute. */
const OPEN_DISPUTES = ['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review']

/** Whether the bank has taken the disputed amount and has not decided yet. An inquiry is not such a dispute. */
export function isOpenDispute(status: string): boolean {
  return OPEN_DISPUTES.includes(status)
}

/** Whether the bank has taken money for this dispute: it is open, or lost. */
export function isStandingDispute(status: string): boolean {
  return isOpenDispute(status) || status === 'lost'
}

type DisputeFacts = { status: string; amountCents: number }

/** The cents that the bank permanently returned to the buyer in lost disputes, at most the amount paid. */
export function lostCents(order: { amountCents: number; disputes: readonly DisputeFacts[] }): number {
  return sumOf(order, ({ status }) => status === 'lost')
}

/**
 * The cents that disputes deduct from the payout, at most the amount paid.
 * @param hasLeft whether the payout was sent, so that open disputes count, too
 */
export function takenCents(
  order: { amountCents: number; disputes: readonly DisputeFacts[] },
  hasLeft: boolean,
): number {
  return sumOf(order, ({ status }) => (hasLeft ? isStandingDispute(status) : status === 'lost'))
}

function sumOf(
  { amountCents, disputes }: { amountCents: number; disputes: readonly DisputeFacts[] },
  counts: (dispute: DisputeFacts) => boolean,
): number {
  return Math.min(
    amountCents,
    disputes.filter(counts).reduce((sum, dispute) => sum + dispute.amountCents, 0),
  )
}

/**
 * Whether an order counts as disputed: a dispute is open, or the bank has returned everything that had not been
 * refunded. An order that lost a dispute about a part of its amount continues with the rest.
 */
export function isDisputedOrder(order: {
  amountCents: number
  refundedCents: number
  disputes: readonly DisputeFacts[]
}): boolean {
  if (order.disputes.some(({ status }) => isOpenDispute(status))) return true
  const lost = lostCents(order)
  return lost > 0 && lost + order.refundedCents >= order.amountCents
}

/**
 * Whether an order is lost: no dispute is open any longer, and the bank has returned everything that had not been
 * refunded.
 */
export function isLostOrder(order: { status: OrderStatus; disputes: readonly DisputeFacts[] }): boolean {
  return order.status === 'disputed' && !order.disputes.some(({ status }) => isOpenDispute(status))
}

/**
 * Returns how many units of an order were paid back neither by refunds nor by lost disputes. Only these have a valid
 * key.
 * @param refunds the refunds that count; by default those that the bank has confirmed
 */
export function keptUnits(
  order: {
    quantity: number
    unitPriceCents: number
    amountCents: number
    refundedCents: number
    disputes: readonly DisputeFacts[]
  },
  refunds: readonly RefundedParts[] = [{ amountCents: order.refundedCents }],
): number {
  return unrefundedUnits(order, [...refunds, { amountCents: lostCents(order) }])
}

const DISPUTE_REASONS: Record<string, string> = {
  fraudulent: "The cardholder says this payment wasn't theirs.",
  unrecognized: "The cardholder doesn't recognize this payment.",
  product_not_received: 'The buyer says nothing arrived.',
  product_unacceptable: "The buyer says the order isn't as described.",
  duplicate: 'The buyer says they paid twice.',
  credit_not_processed: 'The buyer says a promised refund never arrived.',
  subscription_canceled: 'The buyer says they canceled the order.',
}

/** The reason of a dispute as a sentence. */
export function disputeReasonText(reason: string): string {
  return DISPUTE_REASONS[reason] ?? 'The buyer disagrees with this payment.'
}

/** Whether the dispute or inquiry has ended. */
export function isClosedDispute(status: string): boolean {
  return ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
}

/** The state or the outcome of a dispute or inquiry in words. */
export function disputeText(status: string, reader: 'seller' | 'buyer' | 'bank'): string {
  if (status === 'won') return reader === 'seller' ? 'You won the dispute' : 'The bank decided for the seller'
  if (status === 'lost')
    return reader === 'buyer' ? 'Your bank returned your money' : 'The bank returned the money to the buyer'
  if (status === 'appeal_needs_response') return 'The bank decided for the buyer, and its decision can be appealed'
  if (status === 'appeal_under_review') return 'The bank is reviewing the appeal'
  if (status === 'under_review' || status === 'warning_under_review') return 'The bank is reviewing the evidence'
  if (isClosedDispute(status)) return isInquiry(status) ? 'The bank closed its inquiry' : 'The dispute was closed'
  return isInquiry(status) ? 'The bank asked about this payment' : 'The bank is waiting for a response'
}

/** After this time an attempt to send evidence that never finished no longer blocks the next one. */
const SENDING_MS = 5 * MINUTE_MS

/** Whether the bank has decided for the buyer, and the platform can appeal in Stripe's dashboard. Our pages cannot. */
export function isAppealable(status: string): boolean {
  return status === 'appeal_needs_response'
}

/**
 * Whether evidence can be sent: the bank is waiting for it, and no attempt to send it began within the last five
 * minutes.
 */
export function isAnswerable(dispute: { status: string; submittedAt: Date | null }, now: Date): boolean {
  const isOpen = ['needs_response', 'warning_needs_response'].includes(dispute.status)
  return isOpen && (dispute.submittedAt === null || now.getTime() - dispute.submittedAt.getTime() > SENDING_MS)
}
