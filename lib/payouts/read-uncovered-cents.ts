import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from './payout-sums'

/**
 * The card fees, in cents, that the seller will owe for pending refunds of a payout `t` that was not sent. Stripe keeps
 * the fee, and less than the fee is left of the payout.
 */
const FEES_OF_PENDING = `GREATEST(0, (SELECT sum(r."amountCents" - r."platformFeeCents") FROM "Refund" r
    WHERE r."orderId" = t."orderId" AND r."state" IN ('pending', 'succeeded')) - t."amountCents" - t."feeOwedCents")`

/**
 * The most that the platform pays for one seller's refunds before the seller's account has returned the money, in
 * cents. We chose an amount that lets an honest seller refund ordinary orders on any day, and that bounds what a
 * dishonest seller can cost (ADR 0027).
 */
export const MOST_UNCOVERED_CENTS = 50_000

/**
 * Returns what the platform has paid, or is about to pay, for refunds of orders whose payout a seller already has, in
 * cents. It consists of what was not returned by reversals, including debts of orders whose own payout was not sent, of
 * refunds that are still pending, and of card fees that pending refunds of other orders will cost. A refund that is
 * taken back first is deducted from its payout already.
 */
export async function readUncoveredCents({ sql }: Pick<Context, 'sql'>, sellerId: number): Promise<number> {
  const [row] = await sql<{ cents: number }>(
    'uncovered-refunds',
    `SELECT (COALESCE((SELECT sum(GREATEST(0, ${payoutSums.out} - ${payoutSums.target})) FROM "Transfer" t
                        WHERE t."sellerId" = :sellerId AND (t."sentCents" IS NOT NULL OR ${payoutSums.mayBeInDebt})), 0)
           + COALESCE((SELECT sum(r."amountCents" - r."platformFeeCents") FROM "Refund" r
                         JOIN "Transfer" t ON t."orderId" = r."orderId"
                        WHERE t."sellerId" = :sellerId AND (t."sentCents" IS NOT NULL OR t."withheldCents" > 0) AND r."state" = 'pending'
                          AND NOT r."isTakenBackFirst"), 0)
           + COALESCE((SELECT sum(${FEES_OF_PENDING}) FROM "Transfer" t
                        WHERE t."sellerId" = :sellerId AND t."sentCents" IS NULL AND t."withheldCents" = 0
                          AND EXISTS (SELECT FROM "Refund" p WHERE p."orderId" = t."orderId" AND p."state" = 'pending')), 0))::float8 AS "cents"`,
    { sellerId },
  )
  return row?.cents ?? 0
}
