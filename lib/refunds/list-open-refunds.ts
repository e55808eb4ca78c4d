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

const COLUMNS = `r."id", r."orderId", r."requestedBy", r."stripeRefundId", r."createdAt"`

/** Whether a refund `r` waits until the account of a closed account's seller has returned the money. */
const WAITS = `(r."requestedBy" = 'closure' AND r."isTakenBackFirst" AND r."takenBackAt" IS NULL)`

/** Whether the money for such a refund was returned with the payout `t`, or the refund has waited long enough. */
const HAS_WAITED = `(r."createdAt" < now() - interval '${CLOSURE_WAIT_DAYS} days'
  OR (${payoutSums.out} <= ${payoutSums.payable} AND ${payoutSums.target} + t."feeOwedCents" >= 0))`

/**
 * Many refunds can stay pending for days while the platform's balance is too small. They must not crowd out unsent
 * refunds, so each kind has its own limit. Refunds of closed accounts that still wait for the seller's money are left
 * out, because each attempt costs calls to Stripe and the sweep of payouts already tries to take the money back.
 */
const OPEN = `
  SELECT * FROM (
    (SELECT ${COLUMNS} FROM "Refund" r WHERE r."state" = 'pending' AND r."stripeRefundId" IS NULL AND NOT ${WAITS}
      ORDER BY random() LIMIT :limit)
    UNION ALL
    (SELECT ${COLUMNS} FROM "Refund" r JOIN "Transfer" t ON t."orderId" = r."orderId"
      WHERE r."state" = 'pending' AND r."stripeRefundId" IS NULL AND ${WAITS} AND ${HAS_WAITED}
      ORDER BY random() LIMIT :limit)
    UNION ALL
    (SELECT ${COLUMNS} FROM "Refund" r WHERE r."state" = 'pending' AND r."stripeRefundId" IS NOT NULL
      ORDER BY random() LIMIT :limit)) open
   ORDER BY random()`

/**
 * Lists the pending refunds: those that may not have reached Stripe because Stripe was not available, those of closed
 * accounts for which the money was returned, and those that Stripe has not settled. The event about the result of the
 * latter may have been lost. The order is random, so that refunds on which Stripe always fails do not block the rest.
 * @returns at most `limit` refunds of each kind
 */
export function listOpenRefunds({ sql }: Pick<Context, 'sql'>, limit: number): Promise<OpenRefund[]> {
  return sql<OpenRefund>('open-refunds', OPEN, { limit })
}
