import 'server-only'
import { payoutSums } from '@/lib/payouts/payout-sums'
import { openRefundSql } from '@/lib/refunds/open-refund-sql'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { IS_TO_SEND } from '@/lib/notifications/is-to-send'
import { keepFresh } from './keep-fresh'
import type { HealthView, MoneyView, OverviewView } from './view'

/** Reads the overview that an administrator sees first: the state of the platform and the money received. */
export async function readOverview(ctx: Context): Promise<OverviewView> {
  const [health, money] = await Promise.all([readHealth(ctx), keepFresh(ctx.log, 'money', () => countMoney(ctx))])
  return { ...health, ...money }
}

type HealthRow = Omit<HealthView, 'databaseMs' | 'oldestOpenEventAt' | 'pausedSince'> & {
  oldestOpenEventAt: Date | null
  pausedSince: Date | null
}

/**
 * Reads the state of the platform. Apart from the reports about the last seven days and from disconnected sellers, it
 * counts only open items, so that partial indexes keep the query fast.
 */
export async function readHealth({ sql }: Database): Promise<HealthView> {
  const startedMs = performance.now()
  await sql('ping', 'SELECT 1')
  const databaseMs = Math.round((performance.now() - startedMs) * 10) / 10
  const [row] = await sql<HealthRow>(
    'admin-health',
    `SELECT
       (SELECT count(*)::int FROM "WebhookEvent" WHERE "handledAt" IS NULL) AS "openEvents",
       (SELECT min("receivedAt") FROM "WebhookEvent" WHERE "handledAt" IS NULL) AS "oldestOpenEventAt",
       (SELECT count(*)::int FROM "OutboxMail" WHERE ${IS_TO_SEND}) AS "mailWaiting",
       (SELECT count(*)::int FROM "OutboxMail" WHERE ${IS_TO_SEND} AND "lastError" IS NOT NULL) AS "mailFailing",
       (SELECT count(*)::int FROM "Hold" WHERE "state" = 'held') AS "openHolds",
       (SELECT count(*)::int FROM "Hold" WHERE "state" = 'held' AND "expiresAt" < now() - interval '5 minutes')
         AS "overdueHolds",
       (SELECT count(*)::int FROM "Refund" r WHERE ${openRefundSql.isOpen}) AS "openRefunds",
       (SELECT count(*)::int FROM "User" WHERE "payoutsState" = 'disconnected' AND "deletedAt" IS NULL)
         AS "disconnectedSellers",
       (SELECT count(*)::int FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" WHERE ${payoutSums.isInOtherCurrency})
         + (SELECT count(*)::int FROM "Transfer" t WHERE ${payoutSums.isPaidShort})
         AS "payoutsInOtherCurrency",
       (SELECT count(*)::int FROM "ModerationReview" WHERE "state" = 'open')
         + (SELECT count(DISTINCT p."userId")::int FROM "ProfileReport" p JOIN "User" u ON u."id" = p."userId"
             WHERE p."state" = 'open' AND u."deletedAt" IS NULL) AS "openReviews",
       (SELECT COALESCE(sum("count"), 0)::int FROM "PolicyReport" WHERE "lastAt" > now() - interval '7 days')
         AS "policyReports",
       (SELECT "directive" || ' ' || "blocked" || ' on ' || "page" FROM "PolicyReport"
         WHERE "lastAt" > now() - interval '7 days' ORDER BY "lastAt" DESC LIMIT 1) AS "newestPolicyReport",
       (SELECT "updatedAt" FROM "PlatformSettings" WHERE "id" = 1 AND NOT "isActive") AS "pausedSince"`,
  )
  if (!row) throw new Error('the query for the health of the platform returned no row')
  return {
    ...row,
    databaseMs,
    oldestOpenEventAt: row.oldestOpenEventAt?.toISOString() ?? null,
    pausedSince: row.pausedSince?.toISOString() ?? null,
  }
}

async function countMoney({ sql }: Database): Promise<MoneyView> {
  const [row] = await sql<MoneyView>(
    'admin-money',
    `WITH week AS (
       SELECT "amountCents", "platformFeeCents" - "taxCents" AS "platformFeeCents", "refundedCents", "paidAt" > now() - interval '1 day' AS "isToday"
         FROM "Order" WHERE "createdAt" > now() - interval '8 days' AND "paidAt" > now() - interval '7 days'
     )
     SELECT count(*)::int AS "paidWeek", COALESCE(sum("amountCents"), 0)::float8 AS "amountWeekCents",
            COALESCE(sum("platformFeeCents"), 0)::float8 AS "feeWeekCents",
            COALESCE(sum("refundedCents"), 0)::float8 AS "refundedWeekCents",
            (count(*) FILTER (WHERE "isToday"))::int AS "paidToday",
            COALESCE(sum("amountCents") FILTER (WHERE "isToday"), 0)::float8 AS "amountTodayCents",
            (SELECT COALESCE(sum(${payoutSums.payable}), 0)::float8 FROM "Transfer" t WHERE t."state" = 'waiting')
              + (SELECT COALESCE(sum(${payoutSums.payable} - ${payoutSums.out}), 0)::float8 FROM "Transfer" t
                  WHERE ${payoutSums.isPaidShort}) AS "waitingPayoutCents",
            (SELECT COALESCE(sum(${payoutSums.debt}), 0)::float8 FROM "Transfer" t WHERE ${payoutSums.mayBeInDebt})
              AS "sellerDebtCents"
       FROM week`,
  )
  if (!row) throw new Error('the query for the money of the platform returned no row')
  return row
}
