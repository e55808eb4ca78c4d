import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Keeps the payout of an order from being reserved for half a minute, in the transaction that records a refund of the
 * order. A statement that reserves payouts at the same moment does not see the refund yet, but it sees the changed row.
 * A payout that was reserved before does not change. Call it before the refund is compared with what was paid out.
 */
export async function postponePayout({ sql }: Pick<Context, 'sql'>, orderId: string): Promise<void> {
  await sql(
    'postpone-payout',
    `UPDATE "Transfer" SET "nextAttemptAt" = GREATEST("nextAttemptAt", now() + interval '30 seconds')
      WHERE "orderId" = :orderId AND "state" = 'waiting' AND "sentCents" IS NULL`,
    { orderId },
  )
}
