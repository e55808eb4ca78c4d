import 'server-only'
import type { Database, Db } from '@/lib/infra/db'
import { referenceOf } from '@/lib/kernel/id'
import { payoutSums } from './payout-sums'
import { debtCents, expectedArrival, sentOutCents, targetCents } from './rules'
import type { PayoutLineView, PayoutSummaryView } from './view'

/** A seller's money by state, in cents; reversals are subtracted from what was sent. */
export async function getPayoutSummary({ sql }: Database, sellerId: number): Promise<PayoutSummaryView> {
  const [row] = await sql<PayoutSummaryView>(
    'payout-summary',
    `SELECT u."payoutsState" AS "state",
            coalesce(sum(${payoutSums.payable}) FILTER (WHERE t."state" = 'waiting'), 0)::float8 AS "waitingCents",
            coalesce(sum(${payoutSums.out})
                     FILTER (WHERE t."sentAt" > now() - interval '9 days'), 0)::float8 AS "onTheWayCents",
            coalesce(sum(${payoutSums.out}) FILTER (WHERE t."sentAt" IS NOT NULL), 0)::float8 AS "sentCents",
            coalesce(sum(${payoutSums.debt}) FILTER (WHERE ${payoutSums.mayBeInDebt}), 0)::float8 AS "debtCents"
       FROM "User" u LEFT JOIN "Transfer" t ON t."sellerId" = u."id" WHERE u."id" = :sellerId GROUP BY u."id"`,
    { sellerId },
  )
  return row ?? { state: 'notStarted', waitingCents: 0, onTheWayCents: 0, sentCents: 0, debtCents: 0 }
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
