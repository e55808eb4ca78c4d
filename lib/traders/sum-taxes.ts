import 'server-only'
import type { Database } from '@/lib/infra/db'
import type { TaxPeriod } from './rules'
import { saleSql } from './sale-sql'
import { type CountrySums, type TaxLine, toTaxLine } from './view'

const COUNTRY = `COALESCE(o."shipCountry", '') AS "country"`
const within = (at: string) =>
  `${at} >= :from::timestamp AT TIME ZONE :timezone AND ${at} < :to::timestamp AT TIME ZONE :timezone`

/**
 * Sums up a seller's sales by country for a month or a quarter in the seller's time zone (docs/product.md#tax-report).
 * A payment counts in the period in which it was made, and a refund or a lost dispute in the period in which the money
 * went back. Orders that got no unit do not count. The tax is calculated from the sum of a country and not for each order, so that it is rounded once.
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
       SELECT ${COUNTRY}, 1 AS "orders", o."amountCents" AS "gross", 0 AS "refunds", 0 AS "lost" FROM "Order" o
        WHERE o."sellerId" = :sellerId AND ${within('o."paidAt"')} AND ${saleSql.gotUnits}
       UNION ALL
       SELECT ${COUNTRY}, 0, 0, r."amountCents", 0 FROM "Refund" r JOIN "Order" o ON o."id" = r."orderId"
        WHERE o."sellerId" = :sellerId AND o."refundedCents" > 0 AND r."state" = 'succeeded' AND ${within('r."settledAt"')} AND ${saleSql.gotUnits}
       UNION ALL
       SELECT ${COUNTRY}, 0, 0, 0, b."amountCents" FROM "Dispute" b JOIN "Order" o ON o."id" = b."orderId"
        WHERE o."sellerId" = :sellerId AND b."status" = 'lost' AND ${within('b."closedAt"')} AND ${saleSql.gotUnits}
     )
     SELECT m."country", t."rateBps", sum(m."orders")::int AS "orders", sum(m."gross")::float8 AS "grossCents",
            sum(m."refunds")::float8 AS "refundsCents", sum(m."lost")::float8 AS "lostDisputesCents"
       FROM moved m LEFT JOIN "TaxRate" t ON t."userId" = :sellerId AND t."country" = m."country"
      GROUP BY m."country", t."rateBps" ORDER BY m."country"`,
    { sellerId, from, to, timezone },
  )
  return sums.map(toTaxLine)
}
