import 'server-only'
import type { Database } from '@/lib/infra/db'
import { HIGH_VOLUME } from './rules'
import { saleSql } from './sale-sql'
import type { SalesView } from './view'

const NO_SALES: SalesView = { sales: 0, revenueCents: 0, isHighVolume: false }

/**
 * Counts a seller's sales of physical products as the INFORM Consumers Act of the US does: a high-volume seller has
 * reached both thresholds within any twelve months of the last 24. Refunds are not deducted, because the law counts
 * gross revenue. Orders that got no unit do not count, because nothing was sold. `sales` and `revenueCents` are those
 * of the twelve months with the most sales. Twelve months in which both thresholds were reached take precedence over
 * others.
 */
export async function readSales({ sql }: Pick<Database, 'sql'>, sellerId: number): Promise<SalesView> {
  const [row] = await sql<SalesView>(
    'seller-sales',
    `SELECT "sales", "revenueCents", "sales" >= ${HIGH_VOLUME.sales} AND "revenueCents" >= ${HIGH_VOLUME.revenueCents} AS "isHighVolume"
       FROM (SELECT (count(*) OVER year)::int AS "sales", (sum(o."amountCents") OVER year)::float8 AS "revenueCents"
               FROM "Order" o
              WHERE o."sellerId" = :sellerId AND o."paidAt" > now() - interval '24 months' AND o."productType" = 'physical'
                AND ${saleSql.gotUnits}
             WINDOW year AS (ORDER BY o."paidAt" RANGE BETWEEN interval '12 months' PRECEDING AND CURRENT ROW)) years
      ORDER BY 3 DESC, 1 DESC, 2 DESC LIMIT 1`,
    { sellerId },
  )
  return row ?? NO_SALES
}
