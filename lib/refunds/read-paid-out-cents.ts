import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from '@/lib/payouts/payout-sums'

/**
 * Returns what a seller was already paid, in cents, for the orders that are refunded when an administrator deletes the
 * account (docs/product.md#closing-an-account). What was withheld for debts counts, because the seller had that money
 * before.
 */
export async function readPaidOutCents({ sql }: Pick<Context, 'sql'>, sellerId: number): Promise<number> {
  const [row] = await sql<{ cents: number }>(
    'paid-out-for-unfulfilled',
    `SELECT COALESCE(sum(GREATEST(0, ${payoutSums.out}) + t."withheldCents"), 0)::float8 AS "cents"
       FROM "Order" o JOIN "Transfer" t ON t."orderId" = o."id"
      WHERE o."sellerId" = :sellerId AND o."paidAt" IS NOT NULL AND o."status" = 'paid' AND o."productType" <> 'digital'`,
    { sellerId },
  )
  return row?.cents ?? 0
}
