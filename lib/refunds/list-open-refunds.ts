import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from '@/lib/payouts/payout-sums'
import { CLOSURE_WAIT_DAYS } from './take-back-refund'

/** A refund that Stripe has not settled yet, or has not received. */
export type OpenRefund = {
  id: string
  orderId: string
  requestedBy: string
  stripeRefundId: string | null
  createdAt: Date
}

/** Whether a refund waits until the account of a closed account's seller has returned the money. */
const WAITS = { requestedBy: 'closure', isTakenBackFirst: true, takenBackAt: null } as const

/**
 * The refunds of closed accounts for which the money was returned, or which have waited long enough. The others are
 * left out, because each attempt costs calls to Stripe and the sweep of payouts already tries to take the money back.
 */
const RETURNED = `
  SELECT r."id", r."orderId", r."requestedBy", r."stripeRefundId", r."createdAt"
    FROM "Refund" r JOIN "Transfer" t ON t."orderId" = r."orderId"
   WHERE r."state" = 'pending' AND r."stripeRefundId" IS NULL
     AND r."requestedBy" = 'closure' AND r."isTakenBackFirst" AND r."takenBackAt" IS NULL
     AND (r."createdAt" < now() - interval '${CLOSURE_WAIT_DAYS} days'
       OR (${payoutSums.out} <= ${payoutSums.payable} AND ${payoutSums.target} + t."feeOwedCents" >= 0))
   ORDER BY r."createdAt" LIMIT :limit`

/**
 * Lists the pending refunds: those that may not have reached Stripe because Stripe was not available, those of closed
 * accounts for which the money was returned, and those that Stripe has not settled. The event about the result of the
 * latter may have been lost.
 * @returns at most `limit` refunds of each kind, the unsent ones first, and the oldest of each kind first
 */
export async function listOpenRefunds({ db, sql }: Pick<Context, 'db' | 'sql'>, limit: number): Promise<OpenRefund[]> {
  const select = { id: true, orderId: true, requestedBy: true, stripeRefundId: true, createdAt: true } as const
  const orderBy = { createdAt: 'asc' } as const
  const unsent = { state: 'pending', stripeRefundId: null, NOT: WAITS } as const
  const sent = { state: 'pending', stripeRefundId: { not: null } } as const
  // Many refunds can stay pending for days while the platform's balance is too small. They must not crowd out unsent
  // refunds, so each kind has its own limit.
  return [
    ...(await db.refund.findMany({ where: unsent, orderBy, select, take: limit })),
    ...(await sql<OpenRefund>('returned-closure-refunds', RETURNED, { limit })),
    ...(await db.refund.findMany({ where: sent, orderBy, select, take: limit })),
  ]
}
