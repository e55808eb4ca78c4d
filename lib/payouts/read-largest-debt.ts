import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from './payout-sums'

/**
 * Returns the largest amount that one seller owes, in cents. Refunds and disputes that the seller's account did not
 * cover make it grow, and card fees of refunds make it grow without a limit, so an operator should look at the seller.
 * Deleted accounts are left out, because nothing can be done about their debts.
 */
export async function readLargestDebt({ sql }: Context): Promise<number> {
  const [row] = await sql<{ cents: number }>(
    'largest-debt',
    `SELECT COALESCE(max("cents"), 0)::float8 AS "cents"
       FROM (SELECT sum(${payoutSums.debt}) AS "cents" FROM "Transfer" t JOIN "User" u ON u."id" = t."sellerId"
              WHERE u."deletedAt" IS NULL AND ${payoutSums.mayBeInDebt} GROUP BY t."sellerId") debts`,
  )
  return row?.cents ?? 0
}
