import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Metric } from '@/lib/infra/metrics'
import { processState } from '@/lib/kernel/process-state.mjs'
import { SECOND_MS } from '@/lib/kernel/time'
import { IS_TO_SEND } from '@/lib/notifications/is-to-send'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { payoutSums } from '@/lib/payouts/payout-sums'
import { readLargestDebt } from '@/lib/payouts/read-largest-debt'
import { isPlatformActive } from '@/lib/platform/queries'
import { countStats } from './count-stats'
import { keepFresh } from './keep-fresh'
import { readHealth } from './read-overview'

type Delays = {
  mailSeconds: number
  urgentMailSeconds: number
  holdSeconds: number
  payoutSeconds: number
  failingPayouts: number
}

/**
 * SQL: whether an email waits because of us, and not because its mailbox alone refuses it. An email that failed says
 * nothing about the mail server if another one was sent later. Otherwise anyone could page an operator with a wrong
 * address.
 */
const WAITS_FOR_SERVER = `("lastError" IS NULL OR NOT EXISTS (
  SELECT 1 FROM "OutboxMail" later WHERE later."sentAt" > "OutboxMail"."createdAt" + interval '1 minute'))`

/**
 * Returns how many seconds the oldest unsent email of the last three days, the oldest such email that is urgent, the
 * oldest overdue hold and the oldest due payout have been waiting (0 if there is none). Also returns how many payouts
 * are failing. A payout that waits for its seller, its day or its shipping is neither due nor failing.
 */
async function readDelays({ sql }: Context): Promise<Delays> {
  const ageSql = (time: string, rest: string) =>
    `GREATEST(0, COALESCE((SELECT extract(epoch FROM now() - min(${time})) FROM ${rest}), 0))::float8`
  const unsent = `"OutboxMail" WHERE ${IS_TO_SEND}`
  const due = `"Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"
                WHERE ${payoutSums.isDue('t', 'o', 'u')}`
  const [row] = await sql<Delays>(
    'metric-delays',
    `SELECT ${ageSql('"createdAt"', unsent)} AS "mailSeconds",
            ${ageSql('"createdAt"', `${unsent} AND "isUrgent" AND ${WAITS_FOR_SERVER}`)} AS "urgentMailSeconds",
            ${ageSql('"expiresAt"', `"Hold" WHERE "state" = 'held'`)} AS "holdSeconds",
            ${ageSql('t."dueAt"', due)} AS "payoutSeconds",
            (SELECT count(*)::int FROM ${due} AND t."lastError" IS NOT NULL) AS "failingPayouts"`,
  )
  return row ?? { mailSeconds: 0, urgentMailSeconds: 0, holdSeconds: 0, payoutSeconds: 0, failingPayouts: 0 }
}

const secondsSince = ({ clock }: Context, time: string | null): number =>
  time === null ? 0 : Math.max(0, (clock.now().getTime() - Date.parse(time)) / SECOND_MS)

/** Whether the last check of the rules about money and stock failed. */
const lastCheck = processState('rules-check', () => ({ hasFailed: false }))

/**
 * Returns how many rules about money and stock are broken, or null when the last check of them failed. Otherwise an old
 * count would hide that nothing is checked anymore, for example because the check has become too slow. `npm run doctor`
 * names the broken rules.
 */
async function countBrokenRules(ctx: Context): Promise<number | null> {
  const query = async (text: string) => ({ rows: await ctx.sql.unprepared<object>(text) })
  const count = async () => {
    try {
      const broken = (await checkInvariants({ query })).filter(({ breaches }) => breaches.length > 0).length
      lastCheck.hasFailed = false
      return broken
    } catch (error) {
      lastCheck.hasFailed = true
      throw error
    }
  }
  const broken = await keepFresh(ctx.log, 'broken-rules', count).catch((error: unknown) => {
    ctx.log.warn({ cause: String(error) }, 'the rules about money and stock could not be checked')
    return null
  })
  return lastCheck.hasFailed ? null : broken
}

/** Returns the metrics that are read from the database. They describe the whole platform and not one process. */
export async function platformMetrics(ctx: Context): Promise<Metric[]> {
  const [stats, health, isActive, delays, largestDebt, brokenRules] = await Promise.all([
    countStats(ctx),
    readHealth(ctx),
    isPlatformActive(ctx),
    readDelays(ctx),
    readLargestDebt(ctx),
    countBrokenRules(ctx),
  ])
  const gauge = (name: string, help: string, value: number): Metric => ({
    name: `lastcall_${name}`,
    help,
    type: 'gauge',
    values: [['', value]],
  })
  return [
    gauge('platform_active', '0 while the kill switch is on.', Number(isActive)),
    gauge('users', 'Accounts.', stats.totalUsers),
    gauge('active_drops', 'Drops that are live.', stats.activeDrops),
    gauge('paid_orders', 'Orders that were paid.', stats.totalOrders),
    gauge('open_checkouts', 'Holds that are open.', health.openHolds),
    gauge('overdue_holds', 'Open holds whose time ended more than five minutes ago.', health.overdueHolds),
    gauge('open_webhook_events', 'Webhook events that failed or are waiting.', health.openEvents),
    gauge('open_refunds', 'Pending or failed refunds.', health.openRefunds),
    gauge('disconnected_sellers', 'Sellers who have to connect payouts again.', health.disconnectedSellers),
    gauge(
      'payouts_in_other_currency',
      'Payouts that wait for an administrator, because Stripe settled their payment in another currency or because a payment by hand was too small.',
      health.payoutsInOtherCurrency,
    ),
    gauge('open_reviews', 'Drops and reported profiles that are waiting for a review by a person.', health.openReviews),
    gauge(
      'policy_reports',
      'Reports from browsers, including repeats, of the Content-Security-Policy violations that were seen in the last seven days.',
      health.policyReports,
    ),
    gauge('mail_waiting', 'Emails that have not been sent yet.', health.mailWaiting),
    gauge('mail_failing', 'Unsent emails that failed at least once.', health.mailFailing),
    gauge('oldest_mail_seconds', 'Age of the oldest unsent email of the last three days.', delays.mailSeconds),
    gauge(
      'oldest_urgent_mail_seconds',
      'Age of the oldest unsent receipt, reset or code of the last three days that not only its own mailbox refuses.',
      delays.urgentMailSeconds,
    ),
    gauge(
      'oldest_open_event_seconds',
      'Age of the oldest webhook event that failed or is waiting.',
      secondsSince(ctx, health.oldestOpenEventAt),
    ),
    gauge(
      'oldest_overdue_hold_seconds',
      'How many seconds ago the oldest hold that is still open should have ended.',
      delays.holdSeconds,
    ),
    gauge(
      'oldest_due_payout_seconds',
      'How long the oldest payout that can be sent has been due.',
      delays.payoutSeconds,
    ),
    gauge(
      'largest_seller_debt_dollars',
      'The most that one seller owes for refunds, disputes and card fees.',
      largestDebt / 100,
    ),
    gauge('failing_payouts', 'Payouts that can be sent, but whose last attempt failed.', delays.failingPayouts),
    ...(brokenRules === null
      ? []
      : [gauge('broken_rules', 'Rules about money and stock that do not hold (npm run doctor).', brokenRules)]),
    gauge(
      'database_answer_seconds',
      'How long the database takes to respond to an empty query.',
      health.databaseMs / 1000,
    ),
  ]
}
