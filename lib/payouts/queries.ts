import 'server-only'
import type { Database, Db } from '@/lib/infra/db'
import { referenceOf } from '@/lib/kernel/id'
import { formatDay } from '@/lib/kernel/time'
import { payoutSums } from './payout-sums'
import { debtCents, EARNED_DAYS, expectedArrival, sentOutCents, targetCents } from './rules'
import type { MoneyLineView, PayoutLineView, PayoutSummaryView } from './view'

const noSums = { state: 'notStarted', waitingCents: 0, onTheWayCents: 0, debtCents: 0 } as const
const noMoney: MoneyRow = { ...noSums, earnedCents: 0, nextDueAt: null, lastSentAt: null }

/** A payout that may still be on its way to the bank. */
const SENT_LATELY = `t."sentAt" > now() - interval '9 days'`

/** A seller's money by state, in cents; reversals are subtracted from what was sent. */
export async function getPayoutSummary({ sql }: Database, sellerId: number): Promise<PayoutSummaryView> {
  const [row] = await sql<PayoutSummaryView>(
    'payout-summary',
    `SELECT u."payoutsState" AS "state",
            coalesce(sum(${payoutSums.payable}) FILTER (WHERE t."state" = 'waiting'), 0)::float8 AS "waitingCents",
            coalesce(sum(${payoutSums.out}) FILTER (WHERE ${SENT_LATELY}), 0)::float8 AS "onTheWayCents",
            coalesce(sum(${payoutSums.out}) FILTER (WHERE t."sentAt" IS NOT NULL), 0)::float8 AS "sentCents",
            coalesce(sum(${payoutSums.debt}) FILTER (WHERE ${payoutSums.mayBeInDebt}), 0)::float8 AS "debtCents"
       FROM "User" u LEFT JOIN "Transfer" t ON t."sellerId" = u."id" WHERE u."id" = :sellerId GROUP BY u."id"`,
    { sellerId },
  )
  return row ?? { ...noSums, sentCents: 0 }
}

type MoneyRow = Omit<MoneyLineView, 'nextDay' | 'arrivalDay'> & { nextDueAt: Date | null; lastSentAt: Date | null }

/**
 * The money line of the dashboard. Its sums are those of getPayoutSummary(), but each reads only the rows that it adds up, by
 * an index.
 */
export async function getMoneyLine({ sql }: Database, sellerId: number, timezone: string): Promise<MoneyLineView> {
  const [row] = await sql<MoneyRow>(
    'money-line',
    `SELECT u."payoutsState" AS "state", week."earnedCents", waiting."waitingCents", waiting."nextDueAt",
            sent."onTheWayCents", sent."lastSentAt", debts."debtCents"
       FROM "User" u
      CROSS JOIN LATERAL (
        -- One look-up per order of the week; a join would read all payouts of a platform where they are few.
        SELECT coalesce(sum((SELECT ${payoutSums.earned} FROM "Transfer" t WHERE t."orderId" = o."id")), 0)::float8
               AS "earnedCents"
          FROM "Order" o WHERE o."sellerId" = u."id" AND o."paidAt" > now() - interval '${EARNED_DAYS} days') week
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${payoutSums.payable}), 0)::float8 AS "waitingCents",
               CASE WHEN min(t."dueAt") FILTER (WHERE ${payoutSums.payable} > 0) > now()
                    THEN min(t."dueAt") FILTER (WHERE ${payoutSums.payable} > 0) END AS "nextDueAt"
          FROM "Transfer" t WHERE t."sellerId" = u."id" AND t."state" = 'waiting') waiting
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${payoutSums.out}), 0)::float8 AS "onTheWayCents",
               max(t."sentAt") FILTER (WHERE ${payoutSums.out} > 0) AS "lastSentAt"
          FROM "Transfer" t WHERE t."sellerId" = u."id" AND ${SENT_LATELY}) sent
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${payoutSums.debt}), 0)::float8 AS "debtCents"
          FROM "Transfer" t WHERE t."sellerId" = u."id" AND ${payoutSums.mayBeInDebt}) debts
      WHERE u."id" = :sellerId`,
    { sellerId },
  )
  const { nextDueAt, lastSentAt, ...money } = row ?? noMoney
  return {
    ...money,
    nextDay: nextDueAt && money.state === 'ready' ? formatDay(nextDueAt, timezone) : null,
    arrivalDay: lastSentAt && formatDay(expectedArrival(lastSentAt).latest, timezone),
  }
}

/** A seller's statement, newest first. */
export async function listPayoutLines(db: Db, sellerId: number, limit: number): Promise<PayoutLineView[]> {
  const transfers = await db.transfer.findMany({
    where: { sellerId },
    include: { order: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  })
  return transfers.map(({ order, ...transfer }) => {
    const arrival = transfer.sentAt ? expectedArrival(transfer.sentAt) : null
    return {
      orderId: order.id,
      reference: referenceOf(order.id),
      title: order.dropTitle,
      paidAt: (order.paidAt ?? order.createdAt).toISOString(),
      amountCents: order.amountCents,
      discountCode: order.discountCode,
      discountCents: order.discountCents,
      platformFeeCents: order.platformFeeCents,
      cardFeeCents: order.cardFeeCents,
      shareCents: transfer.amountCents,
      deductedCents: transfer.deductedCents,
      feeOwedCents: transfer.feeOwedCents,
      withheldCents: transfer.withheldCents,
      recoveredCents: transfer.recoveredCents,
      debtCents: debtCents(transfer),
      payoutCents: transfer.sentAt ? sentOutCents(transfer) : Math.max(0, targetCents(transfer)),
      state: transfer.state,
      dueAt: transfer.dueAt.toISOString(),
      sentAt: transfer.sentAt?.toISOString() ?? null,
      arrival: arrival && { earliest: arrival.earliest.toISOString(), latest: arrival.latest.toISOString() },
    }
  })
}
