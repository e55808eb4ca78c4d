import 'server-only'
import type { Context } from '@/lib/infra/context'
import { settlePayout } from './settle-payouts'

export type PayoutDeduction = {
  orderId: string
  /** What refunds and lost disputes take of the payout in all, not by this call alone. */
  amountCents: number
  /**
   * What of `amountCents` exceeds the net payout because Stripe keeps the card fee of a refunded payment, so that the seller
   * owes it.
   */
  feeOwedCents: number
}

/**
 * Books what refunds and disputes take of an order's payout: more than before, or less again when a bank turned a refund
 * down. It runs in the transaction that books the refund, so that the two never disagree. A payout that was not sent yet
 * becomes smaller or is cancelled; what was sent already is brought back by settlePayout().
 */
export async function deductFromPayout(tx: Context, deduction: PayoutDeduction): Promise<void> {
  const { orderId, amountCents, feeOwedCents } = deduction
  await tx.db.$executeRaw`
    UPDATE "Transfer" SET "deductedCents" = LEAST("amountCents", ${amountCents}::int), "feeOwedCents" = ${feeOwedCents}::int,
           "nextAttemptAt" = CASE WHEN "sentCents" IS NULL THEN "nextAttemptAt" ELSE now() END,
           "state" = CASE WHEN "sentCents" IS NOT NULL OR "amountCents" = 0 THEN "state"
                          WHEN LEAST("amountCents", ${amountCents}::int) = "amountCents" THEN 'reversed'::"TransferState"
                          ELSE 'waiting'::"TransferState" END
     WHERE "orderId" = ${orderId}
       AND ("deductedCents" <> LEAST("amountCents", ${amountCents}::int) OR "feeOwedCents" <> ${feeOwedCents}::int)`
}

/**
 * Brings Stripe to what deductFromPayout() has booked for an order. What fails now is left to the scheduler. An order without
 * a payout has nothing to settle.
 */
export async function settleOrderPayout(ctx: Context, orderId: string): Promise<void> {
  const transfer = await ctx.db.transfer.findUnique({ where: { orderId }, select: { id: true } })
  if (!transfer) return
  await settlePayout(ctx, transfer.id).catch((error: unknown) => {
    ctx.log.warn({ orderId, cause: String(error) }, 'payout left for the scheduler to settle')
  })
}
