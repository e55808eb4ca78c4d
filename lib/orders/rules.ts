import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { goodsCents, type RefundedParts } from '@/lib/stock/unit-rules'
import { ONE_ORDER } from '@/lib/stock/rules'

/** The fragment in a drop page's URL that shows that the buyer has left the payment page without paying. */
export const CANCELED_ID = 'checkout-canceled'

export type OrderStatus = 'pending' | 'paid' | 'shipped' | 'delivered' | 'done' | 'refunded' | 'disputed' | 'expired'

/**
 * The allowed changes of an order's status. syncRefunds() checks them with mayMove(). The SQL statements that change a
 * status have conditions that follow the same table.
 */
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

/** Whether an order may change from one status to another. Staying the same is allowed. */
export function mayMove(from: OrderStatus, to: OrderStatus): boolean {
  return from === to || MOVES[from].includes(to)
}

/**
 * The facts that decide the status of an order. Each fact is stored by itself, so that the sequence in which they
 * arrive does not matter.
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

/** Returns the final status that the order can get now, or null while it cannot get one. */
export function completionOf(order: { status: OrderStatus; productType: ProductType }): 'delivered' | 'done' | null {
  if (order.productType === 'physical') return order.status === 'shipped' ? 'delivered' : null
  return order.productType === 'service' && order.status === 'paid' ? 'done' : null
}

/** How many times a file can be downloaded with one order. */
export const DOWNLOADS_PER_ORDER = 5

/** Within this time the same message about the same order counts as a repeated tap and not as a second message. */
export const SAME_WORDS_MS = 10 * MINUTE_MS

/** How many times a buyer can request a refund of one order. The buyer can write to the seller at any time. */
const REFUND_REQUESTS_PER_ORDER = 3
/** How long after a refusal the buyer has to wait before asking again. */
const ASK_AGAIN_MS = 3 * DAY_MS

/**
 * Returns the time from which a buyer may request a refund, given the times at which the seller declined earlier
 * requests.
 * @returns a time in the past when the buyer may ask now; null when no further request is allowed.
 */
export function askAgainFrom(declinedAt: readonly Date[]): Date | null {
  if (declinedAt.length >= REFUND_REQUESTS_PER_ORDER) return null
  return new Date(Math.max(0, ...declinedAt.map((date) => date.getTime() + ASK_AGAIN_MS)))
}

/** The statuses of orders that are paid, not fully refunded and not disputed. */
const PAID_AND_UNDISPUTED: readonly OrderStatus[] = ['paid', 'shipped', 'delivered', 'done']

/**
 * Whether the buyer may download the file they paid for. They may not while a dispute is open, or after refunds and
 * lost disputes have returned all of the money.
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
 * Who or what caused a refund, as stored in Refund.requestedBy:
 * - `buyer`: the buyer, whose request is open or declined. A refund that answers the request replaces this row.
 * - `system`: a payment that got no unit.
 * - `mismatch`: a payment whose amount, currency or country was not that of the order.
 * - `closure`: the closing of the seller's account.
 * - `late`: a parcel that was not shipped in time, whose buyer chose a refund or did not answer.
 * - `stripe`: someone who made the refund in Stripe's dashboard.
 * - `seller:` with an id: this seller.
 */
export type RefundRequester = 'buyer' | 'system' | 'mismatch' | 'closure' | 'late' | 'stripe' | `seller:${number}`

/**
 * The causes of refunds that the platform owes the buyer. When such a refund fails, it is not up to a seller to pay the
 * buyer in another way.
 */
const OWED_BY_PLATFORM: readonly string[] = ['system', 'mismatch', 'closure'] satisfies RefundRequester[]

/**
 * Whether this is the refund of a payment that bought nothing, so that all of it is refunded. Such a refund may be sent
 * right away and more than once, because Stripe never refunds a whole payment twice.
 */
export function isForFailedPurchase(refund: { requestedBy: string }): boolean {
  return refund.requestedBy === 'system' || refund.requestedBy === 'mismatch'
}

/** Whether the platform, and not the seller, owes the buyer this refund. */
export function isOwedByPlatform(refund: { requestedBy: string }): boolean {
  return OWED_BY_PLATFORM.includes(refund.requestedBy)
}

/**
 * Whether the refund of a failed purchase still has to be sent. Stripe then refunds all that is left of the payment.
 */
export function isUnsentForFailedPurchase(refund: {
  requestedBy: string
  state: string
  stripeRefundId: string | null
}): boolean {
  return isForFailedPurchase(refund) && refund.state === 'pending' && refund.stripeRefundId === null
}

/** How long the sweep leaves a new refund to the request that is sending it. */
const SENDING_REFUND_MS = 30 * SECOND_MS
/** The sweep runs every 15 seconds, so at least one run, and sometimes two, fall into a window of 20 seconds. */
const SWEEP_WINDOW_MS = 20 * SECOND_MS

/**
 * Whether the sweep sends or reads a pending refund in this run. A refund that may not have reached Stripe is due in
 * every run, but not in its first 30 seconds, in which a request may still be sending it. Only the refund of a failed
 * purchase is due right away. A refund that Stripe knows is due about once an hour, because it can be pending for days
 * and each check costs two reads from Stripe.
 */
export function isRefundDue(
  refund: { createdAt: Date; stripeRefundId: string | null; requestedBy: string },
  now: Date,
): boolean {
  const age = now.getTime() - refund.createdAt.getTime()
  if (refund.stripeRefundId === null) return isForFailedPurchase(refund) || age > SENDING_REFUND_MS
  return age > HOUR_MS && age % HOUR_MS < SWEEP_WINDOW_MS
}

/**
 * The refunds that count against the amount paid: those that Stripe has confirmed, or for which its response is still
 * missing.
 */
export function sentRefunds<Refund extends { state: string }>(refunds: readonly Refund[]): Refund[] {
  return refunds.filter(({ state }) => state === 'pending' || state === 'succeeded')
}

/**
 * The part of the platform's fee that is returned with all refunds so far, in cents. The part is proportional to the
 * refunds and rounded half up. It is calculated from their sum, so that many small refunds return as much as one large
 * refund, and a full refund returns the whole fee.
 */
export function refundedFeeCents(feeCents: number, amountCents: number, refundedCents: number): number {
  return Number((2n * BigInt(feeCents) * BigInt(refundedCents) + BigInt(amountCents)) / (2n * BigInt(amountCents)))
}

/**
 * The amounts of a refund of everything that is left of a payment: the cents for the buyer, 0 when nothing is left, and
 * the part of the platform's fee that is returned with it.
 */
export function refundOfRest(
  order: { amountCents: number; platformFeeCents: number },
  refunds: readonly { state: string; amountCents: number }[],
): { amountCents: number; platformFeeCents: number } {
  const sentCents = sentRefunds(refunds).reduce((sum, refund) => sum + refund.amountCents, 0)
  const feeOf = (cents: number) => refundedFeeCents(order.platformFeeCents, order.amountCents, cents)
  return {
    amountCents: Math.max(0, order.amountCents - sentCents),
    platformFeeCents: feeOf(order.amountCents) - feeOf(Math.min(sentCents, order.amountCents)),
  }
}

/** How many cents of the surcharge for shipping no refund has returned yet, given the refunds that were sent. */
export function shippingLeftCents(
  order: { amountCents: number; shippingCents: number },
  refunds: readonly RefundedParts[],
): number {
  const leftCents = refunds.reduce((left, refund) => left - refund.amountCents, order.amountCents)
  const marked = refunds.reduce((sum, { shippingCents = 0 }) => sum + shippingCents, 0)
  return Math.max(0, Math.min(leftCents, order.shippingCents - marked))
}

/**
 * How many units may go back on sale with a refund of `amountCents` for units: the units whose whole price is then
 * refunded, less the units that went back earlier. Units of a numbered drop never go back, because their numbers are
 * retired (ADR 0056).
 * @param refunds the earlier refunds.
 */
export function restockableUnits(
  order: { quantity: number; unitPriceCents: number; isNumbered: boolean; shownKeys?: number },
  refunds: readonly (RefundedParts & { restockUnits: number })[],
  amountCents: number,
): number {
  if (order.isNumbered) return 0
  const refundedCents = goodsCents(refunds) + amountCents
  const back = refunds.reduce((sum, refund) => sum + refund.restockUnits, 0)
  // The keys of an order are shown starting with the first, and its units are refunded starting with the last.
  const most = order.quantity - (order.shownKeys ?? 0)
  return Math.max(0, Math.min(most, Math.floor(refundedCents / order.unitPriceCents)) - back)
}

/**
 * How many units of an order have a key that the buyer has seen. Void keys come last, and an order that got another key
 * for a void one has more keys than units.
 */
export function shownKeysOf<At>({
  keys,
  quantity,
}: {
  keys: readonly { shownAt: At | null }[]
  quantity: number
}): number {
  return keys.slice(0, quantity).filter(({ shownAt }) => shownAt !== null).length
}

/**
 * Stripe keeps a hosted session open for at least 30 minutes. The extra minute allows for the request to Stripe
 * (docs/product.md#how-long-a-hold-lasts).
 */
export const HOSTED_HOLD_MS = 31 * MINUTE_MS

/**
 * The embedded checkout holds units for a shorter time: we close it ourselves, and Stripe sets no minimum
 * (docs/product.md#how-long-a-hold-lasts).
 */
export const EMBEDDED_HOLD_MS = 10 * MINUTE_MS

/** How long a hold lasts if it is taken while more than half of the unsold units are in checkout (ADR 0050). */
export const CONTESTED_HOLD_MS = 10 * MINUTE_MS

/**
 * How long more than half of the unsold units may be unpaid. After this time, contested holds are yielded until no more
 * than half are unpaid. The oldest hold goes first, but a hold younger than this time may follow. The job that yields
 * the holds runs every five seconds, so the excess units are blocked for less than a minute.
 */
export const SURE_MS = 50_000

/** The highest number of units in one order (docs/product.md#prices-and-quantities). */
export const MAX_UNITS_PER_ORDER = ONE_ORDER

/** The reason for the refund of an order above the seller's limit per buyer (docs/product.md#limit-per-buyer). */
export const ABOVE_LIMIT = 'above the limit per buyer'
/**
 * The reasons for the refunds of an order above the limit per buyer of its discount code, and of one whose code was
 * used up meanwhile.
 */
export const ABOVE_CODE_LIMIT = 'above the limit per buyer of the discount code'
export const CODE_USED_UP = 'discount code used up'
/** The reason for the refund of a payment with an address outside the country that shipping was paid for. */
export const OTHER_COUNTRY = 'the address is not in the country of the order'

/**
 * How many units one buyer may take right now: limited by the free units, by ten or the seller's limit, and by the
 * largest amount of one payment.
 */
export function unitsOnOffer(
  drop: { priceCents: number; available: number; maxPerBuyer: number | null },
  shippingCents = 0,
): number {
  const most = drop.maxPerBuyer ?? MAX_UNITS_PER_ORDER
  const payable = Math.floor((MAX_PRICE_CENTS - shippingCents) / drop.priceCents)
  return Math.max(0, Math.min(drop.available, most, payable))
}

/** How many units a press on Buy requests. Other buyers may have taken units since the quantity was chosen. */
export function quantityToBuy(wanted: number, onOffer: number): number {
  return Math.max(1, Math.min(wanted, onOffer))
}

/** The page that answers buyers' questions about their orders. */
export const HELP_PATH = '/find-order#help'

/** This many days after the payment, an unshipped parcel without a promised day is late, and its seller is reminded. */
export const UNPROMISED_SHIP_DAYS = 3

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

/** Returns the URL of a parcel's tracking page, or null for an unknown carrier or without a tracking number. */
export function trackingUrl(carrier: string | null, trackingNumber: string | null): string | null {
  const page = TRACKING_PAGES.find(([name]) => name.test(carrier?.trim() ?? ''))?.[1]
  return page && trackingNumber ? page + encodeURIComponent(trackingNumber.replace(/\s+/g, '')) : null
}

/** The names of the statuses, as buyers and sellers see them. */
export const orderStatusText: Record<OrderStatus, string> = {
  pending: 'Waiting for payment',
  paid: 'Paid',
  shipped: 'Shipped',
  delivered: 'Delivered',
  done: 'Completed',
  refunded: 'Refunded',
  disputed: 'Disputed',
  expired: 'Not paid',
}

/** Whether a Stripe id is that of a payment intent, which means that the order came through the embedded checkout. */
export function isPaymentIntent(stripeId: string): boolean {
  return stripeId.startsWith('pi_')
}

/** Returns the last eight characters of a session id, as pages show it to people (docs/product.md#after-paying). */
export function sessionTail(sessionId: string): string {
  return sessionId.slice(-8)
}

/**
 * The metadata that records the buyer's choice with the payment at Stripe: the `selectedVariants` of the call as JSON,
 * the discount code with the cents it takes off, and the country with its surcharge.
 */
export function choiceMetadata(order: {
  optionName: string | null
  optionValue: string | null
  discountCode: string | null
  discountCents: number
  shipsTo?: string | null
  shippingCents?: number
}): Record<string, string> {
  const { optionName, optionValue, discountCode, discountCents, shipsTo, shippingCents } = order
  return {
    ...(optionName === null || optionValue === null
      ? {}
      : { selectedVariants: JSON.stringify({ [optionName]: optionValue }) }),
    ...(discountCode === null ? {} : { discountCode, discountCents: String(discountCents) }),
    ...(shipsTo ? { shipsTo, shippingCents: String(shippingCents) } : {}),
  }
}
