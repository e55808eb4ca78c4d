import { HOUR_MS, SECOND_MS } from '@/lib/kernel/time'
import { goodsCents, type RefundedParts } from '@/lib/stock/unit-rules'

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

/**
 * Whether this refund returns all that is left of a payment by rule, because the parcel is late or the account is
 * closed, and still has to be sent. Stripe never refunds more than the payment, so it may be sent again with a smaller
 * amount.
 */
export function isUnsentRest(refund: { requestedBy: string; state: string; stripeRefundId: string | null }): boolean {
  return isOfRest(refund) && refund.state === 'pending' && refund.stripeRefundId === null
}

/** Whether this refund returns all that is left of a payment by rule. */
export function isOfRest({ requestedBy }: { requestedBy: string }): boolean {
  return requestedBy === 'late' || requestedBy === 'closure'
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
