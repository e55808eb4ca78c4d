import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Records the net payout of an order once its card fee is known. If the payout was sent already, settlePayout()
 * reverses the difference. Call it in the transaction that records the fee, with the order's row locked.
 */
export async function recordNetPayout(
  tx: Context,
  { orderId, netPayoutCents }: { orderId: string; netPayoutCents: number },
): Promise<void> {
  await tx.db.$executeRaw`
    UPDATE "Transfer" SET "amountCents" = ${netPayoutCents}::int, "deductedCents" = LEAST(${netPayoutCents}::int, "deductedCents"),
           "nextAttemptAt" = CASE WHEN "sentCents" IS NULL THEN "nextAttemptAt" ELSE now() END
     WHERE "orderId" = ${orderId}`
}
