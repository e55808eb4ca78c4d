import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from './payout-sums'

/** Returns what waits to be sent to a seller for earned orders, in cents. Debts are deducted from it. */
export async function readWaitingCents({ sql }: Pick<Context, 'sql'>, sellerId: number): Promise<number> {
  const [row] = await sql<{ cents: number }>(
    'waiting-payouts-of-seller',
    `SELECT COALESCE(sum(${payoutSums.payable}), 0)::float8 AS "cents"
       FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"
      WHERE t."sellerId" = :sellerId AND t."state" = 'waiting' AND t."sentCents" IS NULL AND ${payoutSums.isEarned('o', 'u')}`,
    { sellerId },
  )
  return row?.cents ?? 0
}
