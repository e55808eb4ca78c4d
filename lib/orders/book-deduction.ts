import 'server-only'
import type { Order } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { deductFromPayout } from '@/lib/payouts/deduct-from-payout'
import { netCents, refundDeduction } from '@/lib/payouts/rules'
import { lostCents, refundedFeeCents } from './rules'

/**
 * Records how much an order's refunds and lost disputes currently deduct from its payout. The amount can also shrink,
 * because a bank may reject a refund. Runs in the transaction that changed the order.
 */
export async function bookDeduction(tx: Context, order: Order): Promise<void> {
  const { id: orderId, amountCents, refundedCents, platformFeeCents, sellerPayoutCents } = order
  const disputes = await tx.db.dispute.findMany({ where: { orderId, status: 'lost' } })
  const lost = lostCents({ amountCents, disputes })
  const goneCents = Math.min(amountCents, refundedCents + lost)
  const deduction = refundDeduction({
    refundedCents: goneCents,
    refundedFeeCents: refundedFeeCents(platformFeeCents, amountCents, goneCents),
    sellerPayoutCents,
    netPayoutCents: netCents(sellerPayoutCents, order.cardFeeCents ?? 0),
  })
  // In a lost dispute the platform pays the bank's fee and the card fee.
  await deductFromPayout(tx, { orderId, ...deduction, ...(lost > 0 ? { feeOwedCents: 0 } : {}) })
}
