import { MAX_PRICE_CENTS } from '@/lib/kernel/money'
import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
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
/** The reason for the refund of a payment for a parcel without an address to which anyone ships. */
export const UNSERVED_ADDRESS = 'the address is missing or in a country that is not served'

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
