import type { ProductType } from '@/lib/kernel/product-type'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { ONE_ORDER } from '@/lib/stock/rules'

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

/** Within this time, the same message or refund request about an order counts as a repeated tap and is sent once. */
export const REPEATED_MESSAGE_MS = 10 * MINUTE_MS

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

/** The highest number of units in one order (docs/product.md#prices-and-quantities). */
export const MAX_UNITS_PER_ORDER = ONE_ORDER

/** The page that answers buyers' questions about their orders. */
export const HELP_PATH = '/find-order#help'

/** This many days after the payment, an unshipped parcel without a promised day is late, and its seller is reminded. */
export const UNPROMISED_SHIP_DAYS = 3
