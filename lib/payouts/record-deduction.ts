import 'server-only'
import type { Context } from '@/lib/infra/context'
import { settlePayout } from './settle-payouts'

export type PayoutDeduction = {
  orderId: string
  /** The total that refunds and disputes deduct from the payout, not the increase since the last call. */
  amountCents: number
  /**
   * The part of `amountCents` that exceeds the net payout and that the seller owes, because Stripe keeps the card fee
   * of a refunded payment.
   */
  feeOwedCents: number
}

/**
 * Records the total that refunds and disputes deduct from an order's payout. The total can shrink again when a bank
 * rejects a refund. This function runs in the transaction that records the refund, dispute or card fee, so that
 * the two never disagree. A payout that was not sent yet becomes smaller or is canceled. If the payout was already
 * sent, settleOrderPayout() or later the scheduler reverses the deducted part or sends money again.
 */
export async function recordDeduction(tx: Context, deduction: PayoutDeduction): Promise<void> {
  const { orderId, amountCents, feeOwedCents } = deduction
  await tx.db.$executeRaw`
    UPDATE "Transfer" SET "deductedCents" = LEAST("amountCents", ${amountCents}::int), "feeOwedCents" = ${feeOwedCents}::int,
           "nextAttemptAt" = CASE WHEN "sentCents" IS NULL THEN "nextAttemptAt" ELSE now() END,
           "state" = CASE WHEN "sentAt" IS NOT NULL AND ${amountCents}::int < "amountCents" THEN 'sent'::"TransferState"
                          WHEN "sentCents" IS NOT NULL OR "amountCents" = 0 THEN "state"
                          WHEN LEAST("amountCents", ${amountCents}::int) = "amountCents" THEN 'reversed'::"TransferState"
                          ELSE 'waiting'::"TransferState" END
     WHERE "orderId" = ${orderId}
       AND ("deductedCents" <> LEAST("amountCents", ${amountCents}::int) OR "feeOwedCents" <> ${feeOwedCents}::int)`
}

/**
 * Applies at Stripe what recordDeduction() has recorded for an order. If that fails, the scheduler tries it again
 * later. An order without a payout needs nothing.
 */
export async function settleOrderPayout(ctx: Context, orderId: string): Promise<void> {
  const transfer = await ctx.db.transfer.findUnique({ where: { orderId }, select: { id: true } })
  if (!transfer) return
  await settlePayout(ctx, transfer.id).catch((error: unknown) => {
    ctx.log.warn({ orderId, cause: String(error) }, 'payout left for the scheduler to settle')
  })
}
