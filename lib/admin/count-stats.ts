import 'server-only'
import { dropSql } from '@/lib/drops/drop-sql'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { keepFresh } from './keep-fresh'
import type { AdminStatsView } from './view'

/**
 * Returns the statistics of the admin panel (docs/contract.md#calls-of-administrators). Only orders that were paid
 * count. Database triggers record each change of the numbers of users, orders and views, so these sums stay exact and
 * cheap however many rows there are. The number of active drops depends on the time, so it is counted on request and
 * cached only when counting is slow (ADR 0033).
 */
export async function countStats(ctx: Context): Promise<AdminStatsView> {
  const [tallies, activeDrops] = await Promise.all([
    readTallies(ctx),
    keepFresh(ctx.log, 'active-drops', () => countActiveDrops(ctx)),
  ])
  return { ...tallies, activeDrops }
}

async function readTallies({ sql }: Database): Promise<Omit<AdminStatsView, 'activeDrops'>> {
  const [row] = await sql<Omit<AdminStatsView, 'activeDrops'>>(
    'admin-tallies',
    `SELECT COALESCE(sum("amount") FILTER (WHERE "name" = 'users'), 0)::float8 AS "totalUsers",
            COALESCE(sum("amount") FILTER (WHERE "name" = 'orders'), 0)::float8 AS "totalOrders",
            COALESCE(sum("amount") FILTER (WHERE "name" = 'views'), 0)::float8 AS "totalViews"
       FROM "Tally"`,
  )
  return row ?? { totalUsers: 0, totalOrders: 0, totalViews: 0 }
}

async function countActiveDrops({ sql }: Database): Promise<number> {
  const [row] = await sql<{ count: number }>(
    'admin-active-drops',
    `SELECT count(*)::int AS "count" FROM "Drop" d WHERE ${dropSql.isRunning}`,
  )
  return row?.count ?? 0
}
