import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from './payout-sums'

/** What waits to be sent to a seller for earned orders, in cents. */
export type WaitingCents = {
  all: number
  /** The part from which debts may be withheld (lib/payouts/withhold-debts.ts). */
  paysDebts: number
}

/** Returns what waits to be sent to a seller. */
export async function readWaitingCents({ sql }: Pick<Context, 'sql'>, sellerId: number): Promise<WaitingCents> {
  const [row] = await sql<WaitingCents>(
    'waiting-payouts-of-seller',
    `SELECT COALESCE(sum(${payoutSums.payable}), 0)::float8 AS "all",
            COALESCE(sum(${payoutSums.payable}) FILTER (WHERE NOT ${payoutSums.isPromisedParcel('o')}), 0)::float8 AS "paysDebts"
       FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId"
      WHERE t."sellerId" = :sellerId AND t."state" = 'waiting' AND t."sentCents" IS NULL AND ${payoutSums.isEarned('o', 'u')}`,
    { sellerId },
  )
  return row ?? { all: 0, paysDebts: 0 }
}
