import 'server-only'
import type { Context } from '@/lib/infra/context'
import { payoutSums } from './payout-sums'

/** What a seller owes for each payout, in cents, the oldest debt first. The id is that of the payout. */
export async function listDebts(tx: Pick<Context, 'sql'>, sellerId: number): Promise<{ id: string; cents: number }[]> {
  return tx.sql(
    'debts-of-seller',
    `SELECT t."id", ${payoutSums.debt}::int AS "cents" FROM "Transfer" t
      WHERE t."sellerId" = :sellerId AND ${payoutSums.mayBeInDebt} AND ${payoutSums.debt} > 0 ORDER BY t."createdAt", t."id"`,
    { sellerId },
  )
}
