import 'server-only'
import { statement } from '@/lib/infra/db'

/**
 * Notes what the card cost, once, and makes the share the net, whatever has become of it since: what refunds took of it
 * is at most the net too, and of a share that has left the fee is taken back by settleShare(). Cents.
 */
export async function recordCardFee(orderId: string, cardFeeCents: number, netCents: number): Promise<void> {
  await statement(
    'record-card-fee',
    `WITH noted AS (
       UPDATE "Order" SET "cardFeeCents" = $2::int WHERE "id" = $1 AND "cardFeeCents" IS NULL RETURNING "id"
     )
     UPDATE "Transfer" t SET "amountCents" = $3::int, "reversedCents" = LEAST($3::int, t."reversedCents"),
            "state" = CASE WHEN t."sentCents" IS NULL AND $3::int > 0 AND t."reversedCents" >= $3::int THEN 'reversed'::"TransferState"
                           ELSE t."state" END,
            "nextAttemptAt" = CASE WHEN t."sentCents" IS NULL THEN t."nextAttemptAt" ELSE now() END
       FROM noted WHERE t."orderId" = noted."id"`,
    [orderId, cardFeeCents, netCents],
  )
}
