import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Notes what the card cost, once, and makes the share the net, whatever has become of it since: what refunds took of it
 * is at most the net too, and of a share that has left the fee is taken back by settleShare(). Cents.
 */
export async function recordCardFee(
  ctx: Context,
  orderId: string,
  cardFeeCents: number,
  netCents: number,
): Promise<void> {
  await ctx.sql(
    'record-card-fee',
    `WITH noted AS (
       UPDATE "Order" SET "cardFeeCents" = :cardFeeCents::int WHERE "id" = :orderId AND "cardFeeCents" IS NULL RETURNING "id"
     )
     UPDATE "Transfer" t SET "amountCents" = :netCents::int, "reversedCents" = LEAST(:netCents::int, t."reversedCents"),
            "state" = CASE WHEN t."sentCents" IS NULL AND :netCents::int > 0 AND t."reversedCents" >= :netCents::int THEN 'reversed'::"TransferState"
                           ELSE t."state" END,
            "nextAttemptAt" = CASE WHEN t."sentCents" IS NULL THEN t."nextAttemptAt" ELSE now() END
       FROM noted WHERE t."orderId" = noted."id"`,
    { orderId, cardFeeCents, netCents },
  )
}
