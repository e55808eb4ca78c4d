import 'server-only'
import type { Order } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { deductFromPayout } from '@/lib/payouts/deduct-from-payout'
import { netCents, refundDeduction } from '@/lib/payouts/rules'
import { refundedFeeCents } from './rules'

/**
 * Records how much an order's refunds and lost disputes currently deduct from its payout. The amount can also shrink,
 * because a bank may reject a refund. Runs in the transaction that changed the order.
 */
export async function bookDeduction(tx: Context, order: Order): Promise<void> {
  const { id: orderId, amountCents, refundedCents, platformFeeCents, sellerPayoutCents } = order
  const isLost = (await tx.db.dispute.count({ where: { orderId, status: 'lost' } })) > 0
  // A lost dispute takes the whole payout. The platform pays the bank's fee and the card fee on top of it.
  const deduction = isLost
    ? { amountCents: sellerPayoutCents, feeOwedCents: 0 }
    : refundDeduction({
        refundedCents,
        refundedFeeCents: refundedFeeCents(platformFeeCents, amountCents, refundedCents),
        sellerPayoutCents,
        netPayoutCents: netCents(sellerPayoutCents, order.cardFeeCents ?? 0),
      })
  await deductFromPayout(tx, { orderId, ...deduction })
}
