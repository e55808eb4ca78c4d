import 'server-only'
import type { Dispute, Order } from '@prisma/client'
import { netCents, refundDeduction } from '@/lib/payouts/rules'
import { lostCents } from './dispute-rules'
import { refundedFeeCents } from './refund-rules'

type Sums = Pick<Order, 'amountCents' | 'refundedCents' | 'platformFeeCents' | 'sellerPayoutCents' | 'cardFeeCents'>

/**
 * Returns what an order's refunds and disputes deduct from its payout. `lost` is the sum of the disputes in cents.
 */
export function deductionOf(order: Sums, lost: number): { amountCents: number; feeOwedCents: number } {
  const { amountCents, refundedCents, platformFeeCents, sellerPayoutCents, cardFeeCents } = order
  const goneCents = Math.min(amountCents, refundedCents + lost)
  const deduction = refundDeduction({
    refundedCents: goneCents,
    refundedFeeCents: refundedFeeCents(platformFeeCents, amountCents, goneCents),
    sellerPayoutCents,
    netPayoutCents: netCents(sellerPayoutCents, cardFeeCents ?? 0),
  })
  // For the part of the payment that disputes took, the platform pays the bank's fee and the card fee. The seller bears
  // the card fee of the refunded part.
  const lostPart = goneCents === 0 ? 0 : Math.min(lost, goneCents) / goneCents
  return { ...deduction, feeOwedCents: Math.ceil(deduction.feeOwedCents * (1 - lostPart)) }
}

type LostDispute = Pick<Dispute, 'id' | 'status' | 'amountCents' | 'closedAt'>

/**
 * Returns how many cents one lost dispute deducted from an order's payout, in addition to the refunds and the disputes
 * that were lost before.
 * @param disputes all disputes of the order
 */
export function takenByDispute(order: Sums, disputes: readonly LostDispute[], dispute: LostDispute): number {
  const { amountCents, sellerPayoutCents, cardFeeCents } = order
  const rank = ({ closedAt, id }: LostDispute) => `${closedAt?.toISOString() ?? ''} ${id}`
  const before = disputes.filter((other) => rank(other) < rank(dispute))
  const net = netCents(sellerPayoutCents, cardFeeCents ?? 0)
  const takenUpTo = (some: readonly LostDispute[]) =>
    Math.min(net, deductionOf(order, lostCents({ amountCents, disputes: some })).amountCents)
  return takenUpTo([...before, dispute]) - takenUpTo(before)
}
