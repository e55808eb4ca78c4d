import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'

export type OrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'done' | 'refunded' | 'disputed' | 'expired'

/** The allowed changes of an order's status. The SQL statements refuse every other change. */
const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['paid', 'expired', 'refunded'],
  // Paid after the hold was released: the order gets a unit, or is refunded (docs/product.md#paid-too-late). Back to
  // pending: Stripe was not available and the buyer tries again.
  expired: ['pending', 'paid', 'refunded'],
  // A parcel is shipped before it is delivered, a service is marked as done, and a file is available as soon as it is
  // paid.
  paid: ['shipped', 'done', 'refunded', 'disputed'],
  shipped: ['delivered', 'refunded', 'disputed'],
  delivered: ['refunded', 'disputed'],
  done: ['refunded', 'disputed'],
  // Back to the earlier status: the bank rejected the refund, or the dispute was won.
  refunded: ['paid', 'shipped', 'delivered', 'done', 'disputed'],
  disputed: ['paid', 'shipped', 'delivered', 'done', 'refunded'],
}

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

/** Whether a dispute still stands against its order: open, or lost. */
export function isStandingDispute(status: string): boolean {
  return !['won', 'warning_closed', 'prevented'].includes(status)
}

/** How often a file can be downloaded with one order. */
export const DOWNLOADS_PER_ORDER = 5

/** Within this time the same text about the same order counts as one message, because it is a repeated tap. */
export const SAME_WORDS_MS = 10 * MINUTE_MS

/**
 * How often a buyer can ask for a refund, and how long after a refusal. The buyer can write to the seller at any time.
 */
const REFUND_REQUESTS_PER_ORDER = 3
const ASK_AGAIN_MS = 3 * DAY_MS

/**
 * From when a buyer may ask for a refund again, given the times the seller refused; null when no further request is
 * allowed.
 */
export function askAgainFrom(declinedAt: readonly Date[]): Date | null {
  if (declinedAt.length >= REFUND_REQUESTS_PER_ORDER) return null
  return new Date(Math.max(0, ...declinedAt.map((date) => date.getTime() + ASK_AGAIN_MS)))
}

/** The order is paid, not fully refunded and not disputed. */
const PAID_AND_UNDISPUTED: readonly OrderStatus[] = ['paid', 'shipped', 'delivered', 'done']

/**
 * Whether the buyer may download the file they paid for. Access ends with a full refund and is suspended during a
 * dispute.
 */
export function mayDownload(status: OrderStatus): boolean {
  return PAID_AND_UNDISPUTED.includes(status)
}

/**
 * Whether a refund is allowed. It is not during a dispute, because the bank would then pay the buyer back a second
 * time.
 */
export function isRefundable(status: OrderStatus): boolean {
  return PAID_AND_UNDISPUTED.includes(status)
}

/**
 * Who or what caused a refund, as stored in Refund.requestedBy: the buyer's unanswered request, a payment that got no
 * unit (`system`), the closing of the seller's account (`closure`), Stripe's dashboard, or the id of the seller.
 */
export type RefundRequester = 'buyer' | 'system' | 'closure' | 'stripe' | `seller:${number}`

/** The states of refunds that count against the amount paid: confirmed by Stripe, or not answered yet. */
export function sentRefunds<Refund extends { state: string }>(refunds: readonly Refund[]): Refund[] {
  return refunds.filter(({ state }) => state === 'pending' || state === 'succeeded')
}

/**
 * The part of the platform's fee that is returned with all refunds so far, in proportion, rounded half up. It is
 * calculated from the sum, so that many small refunds return as much as one large refund and a full refund returns all
 * of it. Cents.
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

/** The most units in one order (docs/product.md#prices-and-quantities). */
export const MAX_UNITS_PER_ORDER = 10

/**
 * How many units one buyer may take right now: limited by the free units, by ten, and by the largest amount of one
 * payment.
 */
export function unitsOnOffer(drop: { priceCents: number; available: number }): number {
  return Math.max(0, Math.min(drop.available, MAX_UNITS_PER_ORDER, Math.floor(MAX_PRICE_CENTS / drop.priceCents)))
}

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

/** The tracking page of a parcel, for carriers we know; null for others. */
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

/** Whether the bank has decided the dispute for good. */
export function isClosedDispute(status: string): boolean {
  return status === 'lost' || !isStandingDispute(status)
}

/** The outcome of a dispute in words. */
export function disputeText(status: string, reader: 'seller' | 'buyer' | 'bank'): string {
  if (status === 'won') return reader === 'seller' ? 'You won the dispute' : 'The bank decided for the seller'
  if (status === 'lost')
    return reader === 'buyer' ? 'Your bank gave you the money back' : 'The bank gave the money back to the buyer'
  if (status === 'under_review' || status === 'warning_under_review') return 'The bank looks at the evidence'
  return isStandingDispute(status) ? 'The bank is waiting for a response' : 'The dispute was closed'
}

const SENDING_MS = 5 * MINUTE_MS

/**
 * Whether evidence can still be sent: the bank is waiting for it, and nobody else is sending it right now. An attempt
 * that started and never finished does not block the next one.
 */
export function isAnswerable(dispute: { status: string; submittedAt: Date | null }, now: Date): boolean {
  const isOpen = ['needs_response', 'warning_needs_response'].includes(dispute.status)
  return isOpen && (dispute.submittedAt === null || now.getTime() - dispute.submittedAt.getTime() > SENDING_MS)
}

/** The countries a physical drop can be shipped to, as the checkout offers them. */
export const SHIPPING_COUNTRIES = [
  'US', 'CA', 'GB', 'IE', 'DE', 'FR', 'NL', 'BE', 'LU', 'AT', 'CH', 'ES', 'PT', 'IT', 'SE', 'DK', 'NO', 'FI', 'PL',
  'CZ', 'AU', 'NZ', 'JP', 'SG',
] as const // prettier-ignore

/** The texts for an order's status, as its buyer and its seller see it. */
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
