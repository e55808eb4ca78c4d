import 'server-only'
import { refundSql } from '@/lib/stock/refund-sql'
import { PROMISED_DAY_OVER_HOURS } from './late-rules'
import { UNPROMISED_SHIP_DAYS } from './rules'

/** SQL about an order `o` that is waiting to be shipped (docs/product.md#late-parcels). */
export const lateSql = {
  /**
   * Whether the parcel still has to be shipped. An order that is being refunded because it is late, and one whose units
   * were all refunded, is not shipped, even if its seller kept the surcharge (ADR 0067).
   */
  toShip: `o."status" = 'paid' AND o."productType" = 'physical' AND o."lateRefundAt" IS NULL AND NOT ${refundSql.areGoodsRefunded('o')}`,
  /** When the parcel is late: after the promised day or, without a promise, some days after the payment. */
  lateAt: `COALESCE(o."shipsBy" + interval '${PROMISED_DAY_OVER_HOURS} hours', o."paidAt" + interval '${UNPROMISED_SHIP_DAYS} days')`,
  /**
   * A time on the day by which the parcel should be shipped. Noon in UTC falls on the promised day in nearly every time
   * zone.
   */
  shipDay: `COALESCE(o."shipsBy" + interval '12 hours', o."paidAt" + interval '${UNPROMISED_SHIP_DAYS} days')`,
  /**
   * When the seller is reminded: two days before the promised day, but not within 24 hours of the payment. Without a
   * promise, the seller is reminded when the parcel is late.
   */
  remindAt: `CASE WHEN o."shipsBy" IS NULL THEN o."paidAt" + interval '${UNPROMISED_SHIP_DAYS} days'
    ELSE GREATEST(o."shipsBy" - interval '48 hours', o."paidAt" + interval '24 hours') END`,
} as const
