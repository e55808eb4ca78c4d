import 'server-only'

const surcharge = (
  country: string,
) => `(SELECT (z."zone" ->> 'cents')::int FROM jsonb_array_elements(d."shippingZones") AS z("zone")
    WHERE z."zone" -> 'countries' @> to_jsonb(${country}))`

/** The zones of a "Drop" row `d`, as parts of SQL statements (ADR 0067). */
export const zoneSql = {
  /**
   * Whether the drop can be ordered for a country, given as an SQL expression. A drop without zones is ordered without
   * a country, unless its seller ships only at home for now (limitToHome()): its orders are for that country. A drop
   * with zones needs one, except for an offer to someone on the waitlist, who chooses the country later.
   */
  isServed: (country: string, { isOffer, isHomeOnly }: { isOffer: string; isHomeOnly: string }) => `CASE
    WHEN d."shippingZones" IS NULL THEN ${country} IS NULL OR ${isHomeOnly}
    WHEN ${country} IS NULL THEN ${isOffer} ELSE ${surcharge(country)} IS NOT NULL END`,
  /** Whether an order to some country has a surcharge. */
  hasSurcharge: `COALESCE(jsonb_path_exists(d."shippingZones", '$[*].cents ? (@ > 0)'), false)`,
  /** The surcharge for one order to a country, in cents; 0 without zones or without a country. */
  cents: (country: string) => `CASE WHEN d."shippingZones" IS NULL THEN 0 ELSE COALESCE(${surcharge(country)}, 0) END`,
} as const

/**
 * Returns SQL for the sum of the surcharges that buyers paid, in cents. `drop` is the alias of the "Drop" row, and
 * `where` selects the holds `h` that count. Orders are read only for drops with zones.
 */
export const paidShippingSql = (
  drop: string,
  where: string,
) => `CASE WHEN ${drop}."shippingZones" IS NULL THEN 0 ELSE COALESCE((
  SELECT sum(o."shippingCents") FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
   WHERE o."dropId" = ${drop}."id" AND ${where}), 0) END::float8`
