import 'server-only'
import type { Database } from '@/lib/infra/db'
import type { TaxPeriod } from './rules'
import { saleSql } from './sale-sql'
import { type CountrySums, type TaxLine, toTaxLine } from './view'

/**
 * SQL: the country that an order `o` was sold to, and the day of its payment in the seller's time zone, which decides
 * the rate. A refund has the rate of its order.
 */
const SOLD_TO = `COALESCE(o."shipCountry", o."billingCountry", '') AS "country",
         to_char(o."paidAt" AT TIME ZONE :timezone, 'YYYY-MM-DD') AS "day"`
/** SQL: whether the seller owes the tax of an order `o`. */
const COUNTS = `${saleSql.gotUnits} AND o."taxCents" = 0`
const within = (at: string) =>
  `${at} >= :from::timestamp AT TIME ZONE :timezone AND ${at} < :to::timestamp AT TIME ZONE :timezone`

/**
 * Sums up a seller's sales by country for a month or a quarter in the seller's time zone (docs/product.md#tax-report).
 * A payment counts in the period in which it was made, and a refund or a lost dispute in the period in which the money
 * went back. Orders that got no unit do not count, and neither do orders whose tax the platform pays (ADR 0073). The
 * tax is calculated from the sum of a country and rate and not for each order, so that it is rounded once.
 */
export async function sumTaxes(
  { sql }: Pick<Database, 'sql'>,
  sellerId: number,
  { from, to }: TaxPeriod,
  timezone: string,
): Promise<TaxLine[]> {
  const sums = await sql<CountrySums>(
    'seller-taxes',
    `WITH moved AS (
       SELECT ${SOLD_TO}, 1 AS "orders", o."amountCents" AS "gross", 0 AS "refunds", 0 AS "lost" FROM "Order" o
        WHERE o."sellerId" = :sellerId AND ${within('o."paidAt"')} AND ${COUNTS}
       UNION ALL
       SELECT ${SOLD_TO}, 0, 0, r."amountCents", 0 FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId"
        WHERE o."sellerId" = :sellerId AND o."refundedCents" > 0 AND r."state" = 'succeeded' AND ${within('r."settledAt"')} AND ${COUNTS}
       UNION ALL
       SELECT ${SOLD_TO}, 0, 0, 0, b."amountCents" FROM "Dispute" b JOIN "Order" o ON o."id" = b."orderId"
        WHERE o."sellerId" = :sellerId AND b."status" = 'lost' AND ${within('b."closedAt"')} AND ${COUNTS}
     )
     SELECT m."country", t."rateBps", sum(m."orders")::int AS "orders", sum(m."gross")::float8 AS "grossCents",
            sum(m."refunds")::float8 AS "refundsCents", sum(m."lost")::float8 AS "lostDisputesCents"
       FROM moved m LEFT JOIN LATERAL (
         SELECT r."rateBps" FROM "TaxRate" r WHERE r."userId" = :sellerId AND r."country" = m."country" AND r."fromDay" <= m."day"
          ORDER BY r."fromDay" DESC LIMIT 1
       ) t ON true
      GROUP BY m."country", t."rateBps" ORDER BY m."country", t."rateBps"`,
    { sellerId, from, to, timezone },
  )
  return sums.map(toTaxLine)
}
