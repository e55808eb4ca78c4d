import 'server-only'
import type { AuditEntry, WebhookEvent } from '@prisma/client'
import { payoutSums } from '@/lib/payouts/payout-sums'
import type { Database } from '@/lib/infra/db'
import { openRefundSql } from '@/lib/refunds/open-refund-sql'
import { readOrderCursor } from '@/lib/orders/seller-view'
import { auditActorName } from './messages'
import type { AuditFilter, EventFilter, OrderFilter } from './schema'
import type { AdminOrderView, AuditEntryView, WebhookEventView } from './view'

/** The number of rows on one page of orders, webhook events or audit entries. */
export const LEDGER_PAGE = 50

/**
 * Returns one page of the audit log, the newest entry first. `actor` is a username or an email address, and `target` is
 * the id of the changed object.
 */
export async function listAudit({ sql }: Pick<Database, 'sql'>, filter: AuditFilter): Promise<AuditEntryView[]> {
  const { before, action, target } = filter
  const conditions = ['true']
  if (before !== undefined) conditions.push('a."id" < :before')
  if (action) conditions.push(`a."action" LIKE :actionPattern`)
  if (target) conditions.push('a."targetId" = :target')
  const actor = filter.actor?.toLowerCase().replace(/^@/, '')
  if (actor) conditions.push('a."actorId" IN (SELECT "id" FROM "User" WHERE "username" = :actor OR "email" = :actor)')
  const rows = await sql.unprepared<AuditEntry & { actorName: string | null }>(
    `SELECT a.*, u."username" AS "actorName" FROM "AuditEntry" a LEFT JOIN "User" u ON u."id" = a."actorId"
      WHERE ${conditions.join(' AND ')} ORDER BY a."id" DESC LIMIT ${LEDGER_PAGE}`,
    { before, actionPattern: `${action}.%`, target, actor },
  )
  return rows.map((row) => ({
    id: row.id,
    actor: auditActorName(row),
    action: row.action,
    targetType: row.targetType,
    targetId: row.targetId,
    before: row.before as AuditEntryView['before'],
    after: row.after as AuditEntryView['after'],
    ip: row.ip,
    requestId: row.requestId,
    createdAt: row.createdAt.toISOString(),
  }))
}

/** The most orders that are looked up for each kind of problem. Normally no order has such a problem. */
const MAX_STUCK = 1_000

const STUCK_IDS = `
  (SELECT "id" FROM "Order" WHERE "status" = 'pending' AND "createdAt" < now() - interval '45 minutes'
    ORDER BY "createdAt" DESC LIMIT ${MAX_STUCK})
  UNION (SELECT r."orderId" FROM "Refund" r WHERE ${openRefundSql.isOpen} ORDER BY r."createdAt" DESC LIMIT ${MAX_STUCK})`

/** The orders for which their sellers owe money. */
const OWED_IDS = `
  (SELECT t."orderId" FROM "Transfer" t WHERE ${payoutSums.mayBeInDebt} AND ${payoutSums.debt} > 0
    ORDER BY t."createdAt" DESC LIMIT ${MAX_STUCK})`

/**
 * The orders whose payouts must be paid by hand, at least in part, because Stripe settled their payments in another
 * currency.
 */
const OTHER_CURRENCY_IDS = `
  (SELECT t."orderId" FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" WHERE ${payoutSums.isInOtherCurrency}
    ORDER BY t."createdAt" DESC LIMIT ${MAX_STUCK})
  UNION (SELECT t."orderId" FROM "Transfer" t WHERE ${payoutSums.isPaidShort} LIMIT ${MAX_STUCK})`

/** Whether a part of payout `t` of order `o` still has to be paid by hand. */
const WAITS_FOR_HAND = `(${payoutSums.isInOtherCurrency} OR ${payoutSums.isPaidShort})`

/** Orders that are still unpaid 45 minutes after they were created, or that have an open refund. */
const STUCK = `(o."status" = 'pending' AND o."createdAt" < now() - interval '45 minutes')
  OR EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND ${openRefundSql.isOpen})`

/** Whether the refund of a closed account waits for the seller's money, or was given up without it. */
const HAS_UNCOVERED_REFUND = `EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'closure'
  AND r."isTakenBackFirst" AND r."takenBackAt" IS NULL AND ${openRefundSql.isOpen})`

type OrderRow = Omit<AdminOrderView, 'createdAt' | 'paidAt'> & { createdAt: Date; paidAt: Date | null }

/**
 * Returns one page of orders, the newest first. `q` is an order's id or its last eight characters, the id of its
 * session or payment intent at Stripe, or the buyer's email address.
 */
export async function listOrders({ sql }: Pick<Database, 'sql'>, filter: OrderFilter): Promise<AdminOrderView[]> {
  const { show, q } = filter
  const conditions = ['true']
  const before = readOrderCursor(filter.before)
  if (before) conditions.push('(o."createdAt", o."id") < (:beforeTime, :beforeId)')
  if (show === 'stuck') conditions.push(`o."id" = ANY(ARRAY(${STUCK_IDS}))`)
  else if (show === 'owed') conditions.push(`o."id" = ANY(ARRAY(${OWED_IDS}))`)
  else if (show === 'currency') conditions.push(`o."id" = ANY(ARRAY(${OTHER_CURRENCY_IDS}))`)
  else if (show !== 'all') conditions.push('o."status" = :show::"OrderStatus"')
  if (q) {
    // Each index gets its own look-up, because an OR would scan the whole table.
    conditions.push(`o."id" = ANY(ARRAY(
      SELECT "id" FROM "Order" WHERE "id" = :q
      UNION SELECT "id" FROM "Order" WHERE "stripeSessionId" = :q
      UNION SELECT "id" FROM "Order" WHERE upper(right("id", 8)) = upper(:q)
      UNION SELECT "id" FROM "Order" WHERE "stripePaymentIntentId" = :q
      UNION SELECT "id" FROM "Order" WHERE "buyerEmail" IS NOT NULL AND lower("buyerEmail") = lower(:q)))`)
  }
  const rows = await sql.unprepared<OrderRow>(
    `SELECT o."id", o."status", o."dropTitle", o."dropId", o."quantity", o."amountCents", o."platformFeeCents" - o."taxCents" AS "platformFeeCents",
            o."sellerPayoutCents", o."refundedCents", o."buyerEmail", o."stripeSessionId", o."createdAt", o."paidAt",
            u."username" AS "seller",
            t."state" AS "transfer", coalesce(${payoutSums.debt}, 0)::int AS "debtCents",
            coalesce(t."withheldCents", 0) AS "keptBackCents",
            CASE WHEN ${WAITS_FOR_HAND} THEN upper(o."settlementCurrency") END AS "settledIn",
            CASE WHEN ${WAITS_FOR_HAND} THEN ${payoutSums.payable} - ${payoutSums.out} ELSE 0 END AS "byHandCents",
            (${payoutSums.isPayableByHand} AND t."dueAt" <= now() AND NOT ${payoutSums.isOnHold} AND NOT ${payoutSums.isPromisedParcel('o')}
              AND NOT EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'pending')) IS TRUE AS "canPayByHand",
            t."paidByHandAt" IS NOT NULL AS "isPaidByHand",
            ${openRefundSql.owedCents} AS "failedRefundCents",
            (${STUCK}) AS "isStuck", ${HAS_UNCOVERED_REFUND} AS "isRefundUncovered"
       FROM (SELECT * FROM "Order" o WHERE ${conditions.join(' AND ')}
              ORDER BY o."createdAt" DESC, o."id" DESC LIMIT ${LEDGER_PAGE}) o
       JOIN "User" u ON u."id" = o."sellerId"
       LEFT JOIN "Transfer" t ON t."orderId" = o."id"
      ORDER BY o."createdAt" DESC, o."id" DESC`,
    { beforeTime: before?.paidAt, beforeId: before?.id, show, q },
  )
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
  }))
}

const eventFilters = {
  all: 'true',
  open: '"handledAt" IS NULL',
  // Events that matched no object of ours, did not apply, or failed until Stripe no longer had them.
  orphaned: `"outcome" IN ('unknown', 'mismatch', 'gone')`,
} as const

/**
 * Returns one page of Stripe's events, the newest first. `filter.before` is the time from which the next page
 * continues.
 */
export async function listEvents({ sql }: Pick<Database, 'sql'>, filter: EventFilter): Promise<WebhookEventView[]> {
  const before = filter.before ? new Date(filter.before) : null
  const rows = await sql.unprepared<WebhookEvent>(
    `SELECT * FROM "WebhookEvent" WHERE ${eventFilters[filter.show]} ${before ? 'AND "receivedAt" < :before' : ''}
      ORDER BY "receivedAt" DESC, "id" DESC LIMIT ${LEDGER_PAGE}`,
    { before },
  )
  return rows.map(({ id, type, objectId, outcome, attempts, receivedAt, handledAt }) => ({
    id,
    type,
    objectId,
    outcome,
    attempts,
    receivedAt: receivedAt.toISOString(),
    isHandled: handledAt !== null,
  }))
}
