import 'server-only'
import type { Order, Transfer } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { recordDeduction } from '@/lib/payouts/record-deduction'
import { takenCents } from '@/lib/orders/dispute-rules'
import { deductionOf } from '@/lib/orders/taken-by-dispute'

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
