import 'server-only'
import type { Database, Db } from '@/lib/infra/db'
import { referenceOf } from '@/lib/kernel/id'
import { formatDay } from '@/lib/kernel/time'
import { payoutSums } from './payout-sums'
import {
  debtCents,
  againCents,
  dueAgainCents,
  EARNED_DAYS,
  expectedArrival,
  isPromisedParcel,
  sentOutCents,
  targetCents,
  waitsInCurrency,
} from './rules'
import { type MoneyLineView, type PayoutLineView, type PayoutSummaryView, toHandPaymentView } from './view'

const noSums = { state: 'notStarted', isStopped: false, waitingCents: 0, onTheWayCents: 0, debtCents: 0 } as const
const noMoney: MoneyRow = { ...noSums, earnedCents: 0, nextDueAt: null, lastSentAt: null }

/** SQL: whether Stripe sent a payout in the last nine days, so that it may still be on its way to the bank. */
const IS_ON_THE_WAY = `(t."sentAt" > now() - interval '9 days' AND t."paidByHandAt" IS NULL)`

/** The amount that is due again for a payout that has left. */
const MISSING = `(${payoutSums.payable} - ${payoutSums.out})`

/** When a payout of the seller `u` is due and may be sent. GREATEST ignores a missing value. */
const SENT_FROM = `GREATEST(t."dueAt", ${payoutSums.nothingSentBefore('u')})`

/** Sums up a seller's money by state, in cents. Reversals are subtracted from what was sent. */
export async function getPayoutSummary({ sql }: Database, sellerId: number): Promise<PayoutSummaryView> {
  const [row] = await sql<PayoutSummaryView>(
    'payout-summary',
    `SELECT u."payoutsState" AS "state",
            CASE WHEN ${payoutSums.nothingSentBefore('u')} > now() THEN ${payoutSums.nothingSentBefore('u')} END AS "heldUntil",
            coalesce(u."payoutsStoppedUntil" > now(), false) AS "isStopped",
            (coalesce(sum(${payoutSums.payable}) FILTER (WHERE t."state" = 'waiting'), 0)
             + coalesce(sum(${MISSING}) FILTER (WHERE ${payoutSums.isMissing}), 0))::float8 AS "waitingCents",
            coalesce(sum(${payoutSums.out}) FILTER (WHERE ${IS_ON_THE_WAY}), 0)::float8 AS "onTheWayCents",
            coalesce(sum(${payoutSums.out}) FILTER (WHERE t."sentAt" IS NOT NULL), 0)::float8 AS "sentCents",
            coalesce(sum(${payoutSums.debt}) FILTER (WHERE ${payoutSums.mayBeInDebt}), 0)::float8 AS "debtCents"
       FROM "User" u LEFT JOIN "Transfer" t ON t."sellerId" = u."id" WHERE u."id" = :sellerId GROUP BY u."id"`,
    { sellerId },
  )
  return row ?? { ...noSums, sentCents: 0, heldUntil: null }
}

type MoneyRow = Omit<MoneyLineView, 'nextDay' | 'arrivalDay'> & { nextDueAt: Date | null; lastSentAt: Date | null }

/**
 * Reads the money line of the dashboard. The sums that getPayoutSummary() also returns are the same here, but each sum
 * reads only the rows that it adds up, through an index.
 */
export async function getMoneyLine({ sql }: Database, sellerId: number, timezone: string): Promise<MoneyLineView> {
  const [row] = await sql<MoneyRow>(
    'money-line',
    `SELECT u."payoutsState" AS "state", coalesce(u."payoutsStoppedUntil" > now(), false) AS "isStopped", week."earnedCents",
            waiting."waitingCents" + missing."missingCents" AS "waitingCents", waiting."nextDueAt",
            sent."onTheWayCents", sent."lastSentAt", debts."debtCents"
       FROM "User" u
      CROSS JOIN LATERAL (
        -- One lookup per order of the week. A join would read all payouts of a platform that has few of them.
        SELECT coalesce(sum((SELECT ${payoutSums.earned} FROM "Transfer" t WHERE t."orderId" = o."id")), 0)::float8
               AS "earnedCents"
          FROM "Order" o WHERE o."sellerId" = u."id" AND o."paidAt" > now() - interval '${EARNED_DAYS} days') week
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${payoutSums.payable}), 0)::float8 AS "waitingCents",
               CASE WHEN min(${SENT_FROM}) FILTER (WHERE ${payoutSums.payable} > 0) > now()
                    THEN min(${SENT_FROM}) FILTER (WHERE ${payoutSums.payable} > 0) END AS "nextDueAt"
          FROM "Transfer" t WHERE t."sellerId" = u."id" AND t."state" = 'waiting') waiting
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${MISSING}), 0)::float8 AS "missingCents"
          FROM "Transfer" t WHERE t."sellerId" = u."id" AND ${payoutSums.isMissing}) missing
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(${payoutSums.out}), 0)::float8 AS "onTheWayCents",
               max(t."sentAt") FILTER (WHERE ${payoutSums.out} > 0) AS "lastSentAt"
          FROM "Transfer" t WHERE t."sellerId" = u."id" AND ${IS_ON_THE_WAY}) sent
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

/** Returns what a dispute does to the payout of its order; null when the order has none, or a won one. */
function heldBy({
  status,
  disputes,
}: {
  status: string
  disputes: { closedAt: Date | null }[]
}): PayoutLineView['dispute'] {
  if (status !== 'disputed') return null
  return disputes.some(({ closedAt }) => closedAt === null) ? 'open' : 'lost'
}

const REFUNDED = { state: true, amountCents: true, shippingCents: true } as const

/** How many lines of a statement are read at a time. */
const BATCH = 1_000

/** Yields all lines of a seller's statement, newest first, one batch at a time. */
export async function* walkPayoutLines(db: Db, sellerId: number): AsyncGenerator<PayoutLineView[], void> {
  let afterOrderId: string | undefined
  for (;;) {
    const lines = await listPayoutLines(db, sellerId, BATCH, afterOrderId)
    if (lines.length > 0) yield lines
    if (lines.length < BATCH) return
    afterOrderId = lines.at(-1)?.orderId
  }
}

/**
 * Lists lines of a seller's statement, newest first.
 * @param afterOrderId the order of the last line that was read before
 */
export async function listPayoutLines(
  db: Db,
  sellerId: number,
  limit: number,
  afterOrderId?: string,
): Promise<PayoutLineView[]> {
  const transfers = await db.transfer.findMany({
    where: { sellerId },
    include: {
      order: { include: { disputes: { select: { closedAt: true } }, refunds: { select: REFUNDED } } },
      handPayments: { orderBy: { createdAt: 'asc' } },
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    ...(afterOrderId === undefined ? {} : { cursor: { orderId: afterOrderId }, skip: 1 }),
  })
  return transfers.map(({ order, ...transfer }) => {
    // The arrival can be estimated only for payouts that Stripe sends.
    const arrival = transfer.sentAt && !transfer.paidByHandAt ? expectedArrival(transfer.sentAt) : null
    return {
      orderId: order.id,
      reference: referenceOf(order.id),
      title: order.dropTitle,
      paidAt: (order.paidAt ?? order.createdAt).toISOString(),
      amountCents: order.amountCents,
      discountCode: order.discountCode,
      discountCents: order.discountCents,
      shippingCents: order.shippingCents,
      platformFeeCents: order.platformFeeCents,
      taxCents: order.taxCents,
      cardFeeCents: order.cardFeeCents,
      netCents: transfer.amountCents,
      deductedCents: transfer.deductedCents,
      feeOwedCents: transfer.feeOwedCents,
      withheldCents: transfer.withheldCents,
      recoveredCents: transfer.recoveredCents,
      debtCents: debtCents(transfer),
      dueAgainCents: dueAgainCents(transfer),
      againCents: againCents(transfer),
      payoutCents: transfer.sentAt ? sentOutCents(transfer) : Math.max(0, targetCents(transfer)),
      state: transfer.state,
      dispute: heldBy(order),
      settledIn: waitsInCurrency(transfer, order),
      handPayments: transfer.handPayments.map(toHandPaymentView),
      dueAt: transfer.dueAt.toISOString(),
      isPromisedParcel: isPromisedParcel(order, order.refunds),
      sentAt: transfer.sentAt?.toISOString() ?? null,
      arrival: arrival && { earliest: arrival.earliest.toISOString(), latest: arrival.latest.toISOString() },
    }
  })
}
