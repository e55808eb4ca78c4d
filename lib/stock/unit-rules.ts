/** What one refund returned: all cents, and those of them that were for the shipping. */
export type RefundedParts = { amountCents: number; shippingCents?: number }

/**
 * The cents that refunds returned for units. A refund of the shipping returns no unit. refundSql follows the same rule.
 */
export function goodsCents(refunds: readonly RefundedParts[]): number {
  return refunds.reduce((sum, { amountCents, shippingCents = 0 }) => sum + amountCents - shippingCents, 0)
}

/** Returns how many units of an order are left after those whose whole price these refunds return. */
export function unrefundedUnits(
  order: { quantity: number; unitPriceCents: number },
  refunds: readonly RefundedParts[],
): number {
  return Math.max(0, order.quantity - Math.floor(goodsCents(refunds) / order.unitPriceCents))
}

/**
 * Whether at most the surcharge for shipping is left of an order, because the price of all its units was refunded. It
 * is always false for an order without a surcharge, whose status shows the refund (ADR 0067).
 */
export function areGoodsRefunded(
  order: { quantity: number; unitPriceCents: number; shippingCents: number },
  refunds: readonly (RefundedParts & { state: string })[],
): boolean {
  const confirmed = refunds.filter(({ state }) => state === 'succeeded')
  return order.shippingCents > 0 && unrefundedUnits(order, confirmed) === 0
}
