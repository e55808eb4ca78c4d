import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Metric } from '@/lib/infra/metrics'
import { isPlatformActive } from '@/lib/platform/queries'
import { countStats } from './count-stats'
import { readHealth } from './read-overview'

/** The metrics that come from the database and are the same for every process. */
export async function platformMetrics(ctx: Context): Promise<Metric[]> {
  const [stats, health, isActive] = await Promise.all([countStats(ctx), readHealth(ctx), isPlatformActive(ctx)])
  const gauge = (name: string, help: string, value: number): Metric => ({
    name: `lastcall_${name}`,
    help,
    type: 'gauge',
    values: [['', value]],
  })
  return [
    gauge('platform_active', '0 while the kill switch is on.', Number(isActive)),
    gauge('users', 'Accounts.', stats.totalUsers),
    gauge('active_drops', 'Drops that are running.', stats.activeDrops),
    gauge('paid_orders', 'Orders that were paid.', stats.totalOrders),
    gauge('open_checkouts', 'Holds of buyers who are paying.', health.openHolds),
    gauge('overdue_holds', 'Overdue holds that the sweep has not closed.', health.overdueHolds),
    gauge('open_webhook_events', 'Webhook events that failed or wait.', health.openEvents),
    gauge('open_refunds', 'Pending or failed refunds.', health.openRefunds),
    gauge('disconnected_sellers', 'Sellers who have to connect payouts again.', health.disconnectedSellers),
    gauge('open_reviews', 'Drops that wait for a person.', health.openReviews),
    gauge(
      'policy_reports',
      'What browsers blocked by our Content-Security-Policy in seven days.',
      health.policyReports,
    ),
    gauge('mail_waiting', 'Mails not sent yet.', health.mailWaiting),
    gauge('mail_failing', 'Mails that failed at least once.', health.mailFailing),
    gauge('database_answer_seconds', 'How long the database takes to answer nothing.', health.databaseMs / 1000),
  ]
}
