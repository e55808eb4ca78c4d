import 'server-only'
import type { Order } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { deductFromPayout } from '@/lib/payouts/deduct-from-payout'
import { netCents, refundDeduction } from '@/lib/payouts/rules'
import { refundedFeeCents } from './rules'

/**
 * Books what an order's refunds and lost disputes take of its payout now, also when it is less than before: a bank may turn a
 * refund down. Runs in the transaction that changed the order.
 */
export async function bookDeduction(tx: Context, order: Order): Promise<void> {
  const { id: orderId, amountCents, refundedCents, platformFeeCents, sellerPayoutCents } = order
  const isLost = (await tx.db.dispute.count({ where: { orderId, status: 'lost' } })) > 0
  // A lost dispute takes the whole payout; what the bank and the card cost beyond it is the platform's.
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
