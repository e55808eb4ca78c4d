import 'server-only'

/** The cents of an order that its confirmed refunds returned for units. A refund of the shipping returns no unit. */
const goodsCents = (
  o: string,
) => `(${o}."refundedCents" - CASE WHEN ${o}."shippingCents" = 0 THEN 0 ELSE LEAST(${o}."refundedCents", (
  SELECT COALESCE(sum(back."shippingCents"), 0)::int FROM "Refund" back
   WHERE back."orderId" = ${o}."id" AND back."state" = 'succeeded')) END)`

/** How many times the refunds for units contain the price of a unit. */
const prices = (o: string) => `(${goodsCents(o)} / ${o}."unitPriceCents")`

/**
 * Whether at most the surcharge for shipping is left, because the price of all units was refunded. False without a
 * surcharge.
 */
const areGoodsRefunded = (o: string) => `(${o}."shippingCents" > 0 AND ${prices(o)} >= ${o}."quantity")`

/**
 * Which units of an order are refunded, as SQL over the alias of an "Order" row. unrefundedUnits() and
 * areGoodsRefunded() follow the same rules in TypeScript.
 */
export const refundSql = {
  prices,
  /** The number of units whose whole price was refunded. */
  units: (o: string) => `LEAST(${o}."quantity", ${prices(o)})`,
  areGoodsRefunded,
  /** Whether a paid order still counts as bought, which it does until all its units are refunded. */
  isStillBought: (o: string) => `(${o}."status" <> 'refunded' AND NOT ${areGoodsRefunded(o)})`,
} as const
