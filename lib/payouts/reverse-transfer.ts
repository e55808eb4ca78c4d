import 'server-only'
import type { Context } from '@/lib/infra/context'
import { settleShare } from './settle-shares'

export type TakenShare = {
  orderId: string
  /** How much of the seller's share is taken back in all, not by this call alone. More than the share takes all of it. */
  amountCents: number
}

/**
 * Notes how much of the seller's share the refunds and disputes of an order take: more than before, or less again, when a
 * bank turned a refund down. Inside the transaction that booked them, so that the two never disagree. What has not left
 * is open again or not sent; the rest is for settleShare().
 */
export async function noteShareTaken(tx: Context, { orderId, amountCents }: TakenShare): Promise<void> {
  await tx.db.$executeRaw`
    UPDATE "Transfer" SET "reversedCents" = LEAST("amountCents", ${amountCents}::int),
           "nextAttemptAt" = CASE WHEN "sentCents" IS NULL THEN "nextAttemptAt" ELSE now() END,
           "state" = CASE WHEN "sentCents" IS NOT NULL OR "amountCents" = 0 THEN "state"
                          WHEN LEAST("amountCents", ${amountCents}::int) = "amountCents" THEN 'reversed'::"TransferState"
                          ELSE 'waiting'::"TransferState" END
     WHERE "orderId" = ${orderId} AND "reversedCents" <> LEAST("amountCents", ${amountCents}::int)`
}

/** Does at Stripe what was noted, now or by the scheduler. An order without a transfer has nothing to give back. */
export async function reverseTransfer(ctx: Context, orderId: string): Promise<void> {
  const transfer = await ctx.db.transfer.findUnique({ where: { orderId }, select: { id: true } })
  if (!transfer) return
  await settleShare(ctx, transfer.id).catch((error: unknown) => {
    ctx.log.warn({ orderId, cause: String(error) }, 'share left to the scheduler')
  })
}
