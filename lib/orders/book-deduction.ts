import 'server-only'
import type { Dispute, Order, Transfer } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { recordDeduction } from '@/lib/payouts/record-deduction'
import { netCents, refundDeduction } from '@/lib/payouts/rules'
import { lostCents, takenCents } from './dispute-rules'
import { refundedFeeCents } from './refund-rules'

/**
 * A refund of a closed account for which the seller's account did not return the money in time. The seller still owes
 * it, until an administrator has decided about the order.
 */
const GIVEN_UP = { state: 'failed' as const, requestedBy: 'closure', takenBackAt: null }

/**
 * Records how much an order's refunds and disputes currently deduct from its payout. The amount can also shrink,
 * because a bank may reject a refund or decide for the seller. A refund that is taken back first counts while it is
 * pending. An open dispute counts if the payout has left: the bank has taken the money from the platform, and months
 * later the seller's account may be empty (ADR 0027). A payout that has not left waits for the decision. This must
 * run in the transaction that changed the order.
 */
export async function bookDeduction(tx: Context, order: Order): Promise<void> {
  const { id: orderId, amountCents } = order
  const { transfer, disputes } = await tx.db.order.findUniqueOrThrow({
    where: { id: orderId },
    include: { transfer: true, disputes: true },
  })
  const first = await tx.db.refund.aggregate({
    where: {
      orderId,
      isTakenBackFirst: true,
      OR: [{ state: 'pending' }, ...(order.status === 'paid' ? [GIVEN_UP] : [])],
    },
    _sum: { amountCents: true },
  })
  const refundedCents = Math.min(amountCents, order.refundedCents + (first._sum.amountCents ?? 0))
  await recordDeduction(tx, {
    orderId,
    ...deductionOf({ ...order, refundedCents }, takenCents({ amountCents, disputes }, hasLeft(transfer))),
  })
}

/**
 * Whether a payout has left the platform, so that it can be taken back while a dispute is open. A payment by hand
 * cannot be taken back.
 */
export function hasLeft(transfer: Pick<Transfer, 'sentCents' | 'paidByHandAt'> | null): boolean {
  return transfer !== null && transfer.sentCents !== null && transfer.paidByHandAt === null
}

type Sums = Pick<Order, 'amountCents' | 'refundedCents' | 'platformFeeCents' | 'sellerPayoutCents' | 'cardFeeCents'>

/**
 * Returns what an order's refunds and disputes deduct from its payout. `lost` is the sum of the disputes in cents.
 */
function deductionOf(order: Sums, lost: number): { amountCents: number; feeOwedCents: number } {
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
