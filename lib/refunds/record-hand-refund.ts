import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { lockOrderOnly } from '@/lib/orders/guards'
import { recordAudit } from '@/lib/platform/record-audit'
import { refundError } from './messages'
import { openRefundSql } from './open-refund-sql'
import type { HandRefundInput } from './schema'

/**
 * Records that an administrator paid the failed refunds of an order to the buyer outside of Stripe
 * (docs/product.md#refunds). A repeated call with the same reference changes nothing.
 * @throws NO_FAILED_REFUND, STEP_UP_REQUIRED
 */
export async function recordHandRefund(
  ctx: Context<UserActor>,
  { orderId, reference }: HandRefundInput,
): Promise<void> {
  assertSteppedUp(ctx)
  await transaction(ctx, async (tx) => {
    await lockOrderOnly(tx, orderId)
    const [order] = await tx.sql<{ owedCents: number }>(
      'owed-after-failed-refunds',
      `SELECT ${openRefundSql.owedCents} AS "owedCents" FROM "Order" o WHERE o."id" = :orderId`,
      { orderId },
    )
    if (!order?.owedCents) {
      if (await tx.db.refund.findFirst({ where: { orderId, handReference: reference } })) return
      throw refundError('NO_FAILED_REFUND')
    }
    await tx.sql(
      'record-hand-refund',
      `UPDATE "Refund" r SET "paidByHandAt" = now(), "handReference" = :reference
        WHERE r."orderId" = :orderId AND r."state" = 'failed' AND ${openRefundSql.isOpen}`,
      { orderId, reference },
    )
    await recordAudit(tx, {
      action: 'refund.byhand',
      targetType: 'order',
      targetId: orderId,
      after: { amountCents: order.owedCents, reference },
    })
  })
}
