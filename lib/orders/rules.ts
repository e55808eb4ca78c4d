import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { ONE_ORDER } from '@/lib/stock/rules'

export type OrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'done' | 'refunded' | 'disputed' | 'expired'

/** The allowed changes of an order's status. The SQL statements refuse every other change. */
const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['paid', 'expired', 'refunded'],
  // An order that is paid after its hold was released gets a unit or is refunded (docs/product.md#paid-too-late). An
  // order goes back to pending when Stripe was not available and the buyer tries again.
  expired: ['pending', 'paid', 'refunded'],
  // A parcel is shipped before it is delivered, a service is marked as done, and a file is available as soon as it is
  // paid.
  paid: ['shipped', 'done', 'refunded', 'disputed'],
  shipped: ['delivered', 'refunded', 'disputed'],
  delivered: ['refunded', 'disputed'],
  done: ['refunded', 'disputed'],
  // An order goes back to its earlier status when the bank rejected the refund, or when the dispute was won.
  refunded: ['paid', 'shipped', 'delivered', 'done', 'disputed'],
  disputed: ['paid', 'shipped', 'delivered', 'done', 'refunded'],
}

/** Whether an order may change from one status to another; staying the same is allowed. */
export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return from === to || MOVES[from].includes(to)
}

/**
 * The facts that decide the status of a paid order. They are stored as facts, so that the sequence in which they arrive
 * does not matter.
 */
export type OrderFacts = {
  isPaid: boolean
  isHoldOver: boolean
  amountCents: number
  refundedCents: number
  isDisputed: boolean
  productType: ProductType
  isShipped: boolean
  isDelivered: boolean
}

/** The status that follows from the facts. */
export function statusOf(facts: OrderFacts): OrderStatus {
  if (!facts.isPaid) return facts.isHoldOver ? 'expired' : 'pending'
  if (facts.isDisputed) return 'disputed'
  if (facts.refundedCents >= facts.amountCents) return 'refunded'
  if (facts.isDelivered) return facts.productType === 'physical' ? 'delivered' : 'done'
  return facts.isShipped ? 'shipped' : 'paid'
}

/** The final status of an order of this kind, once it can be set; null when it cannot. */
export function completionOf(order: { status: OrderStatus; productType: ProductType }): 'delivered' | 'done' | null {
  if (order.productType === 'physical') return order.status === 'shipped' ? 'delivered' : null
  return order.productType === 'service' && order.status === 'paid' ? 'done' : null
}

/** Whether this is an inquiry: the bank asks about a payment, no money moves, and a full refund settles it. */
export function isInquiry(status: string): boolean {
  return status.startsWith('warning_')
}

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

/** What the buyer got back permanently from the bank in lost disputes, in cents, and at most the amount paid. */
export function lostCents(order: { amountCents: number; disputes: readonly DisputeFacts[] }): number {
  const lost = order.disputes.filter(({ status }) => status === 'lost')
  return Math.min(
    order.amountCents,
    lost.reduce((sum, { amountCents }) => sum + amountCents, 0),
  )
}

/**
 * Whether an order counts as disputed: a dispute is open, or the bank has given back all that had not been refunded. An
 * order that lost a dispute about a part of its amount continues with the rest.
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
 * Whether an order is lost: no dispute is open any more, and the bank has given back all that had not been refunded.
 */
export function isLostOrder(order: { status: OrderStatus; disputes: readonly DisputeFacts[] }): boolean {
  return order.status === 'disputed' && !order.disputes.some(({ status }) => isOpenDispute(status))
}

/** How often a file can be downloaded with one order. */
export const DOWNLOADS_PER_ORDER = 5

/** Within this time the same text about the same order counts as a repeated tap and not as a second message. */
export const SAME_WORDS_MS = 10 * MINUTE_MS

/** How often a buyer can ask for a refund of one order. The buyer can write to the seller at any time. */
const REFUND_REQUESTS_PER_ORDER = 3
/** How long after a refusal the buyer has to wait before asking again. */
const ASK_AGAIN_MS = 3 * DAY_MS

/**
 * From when a buyer may ask for a refund, given the times at which the seller refused earlier requests.
 * @returns a time in the past when the buyer may ask now; null when no further request is allowed.
 */
export function askAgainFrom(declinedAt: readonly Date[]): Date | null {
  if (declinedAt.length >= REFUND_REQUESTS_PER_ORDER) return null
  return new Date(Math.max(0, ...declinedAt.map((date) => date.getTime() + ASK_AGAIN_MS)))
}

/** The statuses of orders that are paid, not fully refunded and not disputed. */
const PAID_AND_UNDISPUTED: readonly OrderStatus[] = ['paid', 'shipped', 'delivered', 'done']

/**
 * Whether the buyer may download the file they paid for. Access ends with a full refund and is suspended during a
 * dispute.
 */
export function mayDownload(status: OrderStatus): boolean {
  return PAID_AND_UNDISPUTED.includes(status)
}

/**
 * Whether a refund is allowed. During a dispute it is not, because the buyer could get the money twice: by the refund
 * and from the bank.
 */
export function isRefundable(status: OrderStatus): boolean {
  return PAID_AND_UNDISPUTED.includes(status)
}

/**
 * Who or what caused a refund, as stored in Refund.requestedBy: the buyer, whose request is open or declined (`buyer`);
 * a payment that got no unit (`system`) or was not of the order's amount or currency (`mismatch`); the closing of the
 * seller's account (`closure`); a refund made in Stripe's dashboard (`stripe`); or the seller with this id. A refund
 * that answers the buyer's request replaces it and does not count as the buyer's.
 */
export type RefundRequester = 'buyer' | 'system' | 'mismatch' | 'closure' | 'stripe' | `seller:${number}`

/** The causes of refunds that the platform owes the buyer. When such a refund fails, no seller can make it good. */
const OWED_BY_PLATFORM: readonly string[] = ['system', 'mismatch', 'closure'] satisfies RefundRequester[]

/**
 * Whether the payment bought nothing, so that all of it is refunded. Such a refund may be sent at once and more than
 * once, because Stripe never refunds a whole payment twice.
 */
export function isPaidInVain(refund: { requestedBy: string }): boolean {
  return refund.requestedBy === 'system' || refund.requestedBy === 'mismatch'
}

/** Whether the platform, and not the seller, owes the buyer this refund. */
export function isOwedByPlatform(refund: { requestedBy: string }): boolean {
  return OWED_BY_PLATFORM.includes(refund.requestedBy)
}

/** For how long the sweep leaves a new refund to the request that is sending it. */
const SENDING_REFUND_MS = 30 * SECOND_MS
/** The sweep runs every 15 seconds, so at least one run, and sometimes two, fall into a window of 20 seconds. */
const SWEEP_WINDOW_MS = 20 * SECOND_MS

/**
 * Whether the sweep sends or reads a pending refund in this run. A refund that may not have reached Stripe is due in
 * every run, apart from its first 30 seconds if a request may still be sending it. A refund that Stripe knows is due
 * once an hour, because it can be pending for days and each check costs two reads at Stripe.
 */
export function isRefundDue(
  refund: { createdAt: Date; stripeRefundId: string | null; requestedBy: string },
  now: Date,
): boolean {
  const age = now.getTime() - refund.createdAt.getTime()
  if (refund.stripeRefundId === null) return isPaidInVain(refund) || age > SENDING_REFUND_MS
  return age > HOUR_MS && age % HOUR_MS < SWEEP_WINDOW_MS
}

/** Those of the refunds that count against the amount paid: confirmed by Stripe, or not answered yet. */
export function sentRefunds<Refund extends { state: string }>(refunds: readonly Refund[]): Refund[] {
  return refunds.filter(({ state }) => state === 'pending' || state === 'succeeded')
}

/**
 * The part of the platform's fee that is returned with all refunds so far, in cents, in proportion, rounded half up. It
 * is calculated from the sum of the refunds, so that many small refunds return as much as one large refund, and a full
 * refund returns the whole fee.
 */
export function refundedFeeCents(feeCents: number, amountCents: number, refundedCents: number): number {
  return Number((2n * BigInt(feeCents) * BigInt(refundedCents) + BigInt(amountCents)) / (2n * BigInt(amountCents)))
}

/**
 * How many units may go back on sale with a refund of `amountCents`: those whose whole price is then refunded, less
 * those that went back before.
 * @param refunds the earlier refunds.
 */
export function restockableUnits(
  order: { quantity: number; unitPriceCents: number },
  refunds: readonly { amountCents: number; restockUnits: number }[],
  amountCents: number,
): number {
  const refundedCents = refunds.reduce((sum, refund) => sum + refund.amountCents, amountCents)
  const back = refunds.reduce((sum, refund) => sum + refund.restockUnits, 0)
  return Math.max(0, Math.min(order.quantity, Math.floor(refundedCents / order.unitPriceCents)) - back)
}

/**
 * Stripe keeps a hosted session open for at least 30 minutes; the extra minute allows for the request to Stripe
 * (docs/product.md#how-long-a-hold-lasts).
 */
export const HOSTED_HOLD_MS = 31 * MINUTE_MS

/**
 * The embedded checkout holds units for a shorter time: we close it ourselves, and Stripe sets no minimum
 * (docs/product.md#how-long-a-hold-lasts).
 */
export const EMBEDDED_HOLD_MS = 10 * MINUTE_MS

/** How long a hold lasts that is taken while more than half of the unsold units are unpaid (ADR 0050). */
export const CONTESTED_HOLD_MS = 10 * MINUTE_MS

/**
 * How long a drop may stay contested. From then on contested holds give their units back, the oldest first, until no more
 * than half of the unsold units are unpaid. A hold that is younger than this may be among them. The job that does it runs
 * every five seconds, so the units beyond the half are kept from others for less than a minute.
 */
export const SURE_MS = 50_000

/** The most units in one order (docs/product.md#prices-and-quantities). */
export const MAX_UNITS_PER_ORDER = ONE_ORDER

/** The reason of a refund for an order above the seller's limit per buyer (docs/product.md#limit-per-buyer). */
export const ABOVE_LIMIT = 'above the limit per buyer'
/** The same for an order above the limit per buyer of its discount code, and for one whose code was used up meanwhile. */
export const ABOVE_CODE_LIMIT = 'above the limit per buyer of the discount code'
export const CODE_USED_UP = 'discount code used up'

/**
 * How many units one buyer may take right now: limited by the free units, by ten or the seller's limit, and by the
 * largest amount of one payment.
 */
export function unitsOnOffer(drop: { priceCents: number; available: number; maxPerBuyer: number | null }): number {
  const most = drop.maxPerBuyer ?? MAX_UNITS_PER_ORDER
  return Math.max(0, Math.min(drop.available, most, Math.floor(MAX_PRICE_CENTS / drop.priceCents)))
}

/** The page that answers buyers' questions about their orders. */
export const HELP_PATH = '/find-order#help'

/** A parcel that is not shipped after this time is late, and the seller is reminded once. */
export const LATE_AFTER_DAYS = 3

/** The carriers suggested while the seller types. */
export const CARRIERS = ['USPS', 'UPS', 'FedEx', 'DHL', 'Royal Mail', 'Canada Post', 'Australia Post'] as const

const TRACKING_PAGES: readonly [carrier: RegExp, page: string][] = [
  [/^usps\b|postal service/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/^ups\b/i, 'https://www.ups.com/track?tracknum='],
  [/^fed ?ex\b/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/^dhl\b/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
  [/^royal ?mail\b/i, 'https://www.royalmail.com/track-your-item#/tracking-results/'],
  [/^canada ?post\b/i, 'https://www.canadapost-postescanada.ca/track-reperage/en#/search?searchFor='],
  [/^(australia|aus) ?post\b/i, 'https://auspost.com.au/mypost/track/#/details/'],
]

/** The address of a parcel's tracking page; null for a carrier we do not know and without a tracking number. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | null {
  const page = TRACKING_PAGES.find(([name]) => name.test(carrier?.trim() ?? ''))?.[1]
  return page && trackingNumber ? page + encodeURIComponent(trackingNumber.replace(/\s+/g, '')) : null
}

const DISPUTE_REASONS: Record<string, string> = {
  fraudulent: 'the cardholder says that this payment was not theirs',
  unrecognized: 'the cardholder does not recognise this payment',
  product_not_received: 'the buyer says that nothing arrived',
  product_unacceptable: 'the buyer says that it is not as described',
  duplicate: 'the buyer says that they paid twice',
  credit_not_processed: 'the buyer says that a refund did not come',
  subscription_canceled: 'the buyer says that they had cancelled',
}

/** The reason of a dispute, worded as part of a sentence. */
export function disputeReasonText(reason: string): string {
  return DISPUTE_REASONS[reason] ?? 'the buyer does not agree with this payment'
}

/** Whether the dispute or inquiry is over. */
export function isClosedDispute(status: string): boolean {
  return ['won', 'lost', 'warning_closed', 'prevented'].includes(status)
}

/** The outcome of a dispute in words. */
export function disputeText(status: string, reader: 'seller' | 'buyer' | 'bank'): string {
  if (status === 'won') return reader === 'seller' ? 'You won the dispute' : 'The bank decided for the seller'
  if (status === 'lost')
    return reader === 'buyer' ? 'Your bank gave you the money back' : 'The bank gave the money back to the buyer'
  if (status === 'under_review' || status === 'warning_under_review') return 'The bank looks at the evidence'
  if (isClosedDispute(status)) return isInquiry(status) ? 'The bank closed its inquiry' : 'The dispute was closed'
  return isInquiry(status) ? 'The bank asked about this payment' : 'The bank is waiting for a response'
}

/** After this time an attempt to send evidence that never finished no longer blocks the next one. */
const SENDING_MS = 5 * MINUTE_MS

/**
 * Whether evidence can be sent: the bank is waiting for it, and no attempt to send it began within the last five
 * minutes.
 */
export function isAnswerable(dispute: { status: string; submittedAt: Date | null }, now: Date): boolean {
  const isOpen = ['needs_response', 'warning_needs_response'].includes(dispute.status)
  return isOpen && (dispute.submittedAt === null || now.getTime() - dispute.submittedAt.getTime() > SENDING_MS)
}

/** The names of the statuses, as buyers and sellers see them. */
export const orderStatusText: Record<OrderStatus, string> = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  done: 'Done',
  refunded: 'Refunded',
  disputed: 'Disputed',
  expired: 'Not paid',
}

/** Whether a Stripe id is a payment intent, so that the order came through the embedded checkout. */
export function isPaymentIntent(stripeId: string): boolean {
  return stripeId.startsWith('pi_')
}

/** "…a1b2c3d4": how a session id is shown to people (docs/product.md#after-paying). */
export function sessionTail(sessionId: string): string {
  return sessionId.slice(-8)
}

/**
 * What the buyer chose, as Stripe keeps it with the payment: the `selectedVariants` of the call as JSON, and the discount code with
 * what it takes off, in cents.
 */
export function choiceMetadata(order: {
  optionName: string | null
  optionValue: string | null
  discountCode: string | null
  discountCents: number
}): Record<string, string> {
  const { optionName, optionValue, discountCode, discountCents } = order
  return {
    ...(optionName === null || optionValue === null
      ? {}
      : { selectedVariants: JSON.stringify({ [optionName]: optionValue }) }),
    ...(discountCode === null ? {} : { discountCode, discountCents: String(discountCents) }),
  }
}
