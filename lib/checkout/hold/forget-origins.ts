import 'server-only'
import type { Context } from '@/lib/infra/context'
import { RECENTLY_REFUNDED, REFUND_REASONS } from './assert-few-refunded-payments'

const BATCH = 5_000

/**
 * Removes the network from up to 5,000 holds that ended more than two hours ago, because the limits no longer count
 * these holds. A hold whose payment assertFewRefundedPayments() counts keeps its network for a day.
 */
export async function forgetOrigins({ sql }: Pick<Context, 'sql'>): Promise<void> {
  await sql(
    'forget-origins',
    `UPDATE "Hold" SET "originKey" = NULL, "claimKey" = NULL WHERE "id" IN (
       SELECT h."id" FROM "Hold" h WHERE (h."originKey" IS NOT NULL OR h."claimKey" IS NOT NULL) AND h."settledAt" < now() - interval '2 hours'
          AND NOT EXISTS (SELECT 1 FROM "Order" o JOIN "Refund" r ON r."orderId" = o."id"
                           WHERE o."holdId" = h."id" AND ${RECENTLY_REFUNDED}) LIMIT :limit)`,
    { limit: BATCH, ...REFUND_REASONS },
  )
}
