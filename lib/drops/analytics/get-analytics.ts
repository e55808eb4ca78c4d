import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { toDecimal } from '@/lib/kernel/money'
import { HOUR_MS } from '@/lib/kernel/time'
import { planRules } from '@/lib/plans/rules'
import { stockSql } from '@/lib/stock/stock-sql'
import type { AnalyticsView, SaleSteps } from './analytics-view'
import { earlyOpensAt } from '../start/early-rules'
import { dropError } from '../messages'
import { getSellerDrop } from '../queries'
import { conversionText, type VisitSource } from '../rules'
import { revenueCentsOf } from '../delivery/zone-rules'
import { type DropRow, toSellerDropView } from '../view'

type HourRow = SaleSteps & { hour: Date; source: VisitSource }

/**
 * Reads Live Analytics of one of the seller's own drops: the totals since the drop was created, and the hours of its
 * current run (docs/product.md#live-analytics).
 * @throws NOT_FOUND, PLAN_REQUIRED
 */
export async function getAnalytics(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<AnalyticsView> {
  const drop = await getSellerDrop(ctx, dropId, ctx.actor.userId)
  if (!planRules(ctx.actor).hasLiveAnalytics) {
    throw dropError('PLAN_REQUIRED', { text: 'Live Analytics requires the Pro plan. Upgrade to unlock this feature.' })
  }
  const hours = await ctx.sql<HourRow>(
    'analytics-hours',
    `SELECT "hour", "source", sum("views")::int AS "views", sum("taps")::int AS "taps", sum("holds")::int AS "holds",
            sum("paid")::int AS "paid"
       FROM (
         SELECT "hour", "source", "views", "taps", 0 AS "holds", 0 AS "paid" FROM "DropHour"
          WHERE "dropId" = :dropId AND "hour" >= date_trunc('hour', :startedAt::timestamptz, 'UTC')
            AND ("views" > 0 OR "taps" > 0)
         UNION ALL
         SELECT date_trunc('hour', "createdAt", 'UTC'), "source", 0, 0, count(*), 0 FROM "Hold"
          WHERE "dropId" = :dropId AND "run" = :run GROUP BY 1, 2
         UNION ALL
         SELECT date_trunc('hour', "settledAt", 'UTC'), "source", 0, 0, 0, count(*) FROM "Hold"
          WHERE "dropId" = :dropId AND "run" = :run AND "state" = 'sold' GROUP BY 1, 2
       ) x GROUP BY "hour", "source" ORDER BY "hour"`,
    { dropId: drop.id, run: drop.run, startedAt: sellsFrom(drop) },
  )
  return toAnalyticsView(drop, hours, await countCheckouts(ctx, drop))
}

/**
 * When the run could first be bought: with the followers' early access, or at the start (docs/product.md#early-access).
 */
const sellsFrom = (drop: DropRow): Date => earlyOpensAt(drop) ?? drop.startedAt

async function countCheckouts({ sql }: Context<UserActor>, drop: DropRow) {
  const [counts] = await sql<AnalyticsView['checkouts']>(
    'analytics-checkouts',
    `SELECT (count(*) FILTER (WHERE h."state" = 'held'))::int AS "open",
            (count(*) FILTER (WHERE ${stockSql.endedUnpaid('h')}))::int AS "expired",
            (SELECT COALESCE(sum("refused"), 0)::int FROM "DropHour"
              WHERE "dropId" = :dropId AND "hour" >= date_trunc('hour', :startedAt::timestamptz, 'UTC')) AS "refused"
       FROM "Hold" h WHERE h."dropId" = :dropId AND h."run" = :run`,
    { dropId: drop.id, run: drop.run, startedAt: sellsFrom(drop) },
  )
  return counts ?? { open: 0, expired: 0, refused: 0 }
}

const noSteps = (): SaleSteps => ({ views: 0, taps: 0, holds: 0, paid: 0 })

function sumSteps(rows: SaleSteps[]): SaleSteps {
  return rows.reduce<SaleSteps>(
    (sum, { views, taps, holds, paid }) => ({
      views: sum.views + views,
      taps: sum.taps + taps,
      holds: sum.holds + holds,
      paid: sum.paid + paid,
    }),
    noSteps(),
  )
}

function toAnalyticsView(drop: DropRow, rows: HourRow[], checkouts: AnalyticsView['checkouts']): AnalyticsView {
  const revenueCents = revenueCentsOf(drop)
  const until = Math.min(drop.now.getTime(), drop.endTime.getTime())
  const hours: AnalyticsView['hours'] = []
  for (let at = Math.floor(sellsFrom(drop).getTime() / HOUR_MS) * HOUR_MS; at <= until; at += HOUR_MS) {
    const inHour = rows.filter(({ hour }) => hour.getTime() === at)
    hours.push({ at: new Date(at).toISOString(), ...sumSteps(inHour) })
  }
  const names = [...new Set(rows.map(({ source }) => source))]
  const sources = names
    .map((source) => ({ source, ...sumSteps(rows.filter((row) => row.source === source)) }))
    .sort((a, b) => b.views - a.views || b.paid - a.paid)
  return {
    dropId: drop.id,
    views: drop.views,
    purchases: drop.purchases,
    conversion: conversionText(drop.purchases, drop.views),
    revenue: toDecimal(revenueCents),
    revenueCents,
    run: sumSteps(rows),
    checkouts,
    isOpenEdition: drop.isOpenEdition,
    values: toSellerDropView(drop).values,
    hours,
    sources,
    serverTime: drop.now.toISOString(),
  }
}
