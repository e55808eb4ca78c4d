import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isUnsentForFailedPurchase, sentRefunds } from '@/lib/orders/refund-rules'

/**
 * Adjusts a refund that the platform owes but has not sent yet, after someone has made refunds in Stripe's dashboard.
 * If those refunds return the whole payment, the newest one replaces ours, because Stripe would refuse ours forever.
 * Otherwise ours is reduced to the rest of the payment. If the amount paid differs from the order, ours stays unchanged
 * and Stripe refunds what is left. Call it in the transaction that records the refunds of the dashboard, with the order
 * locked.
 */
export async function adoptRefund(tx: Context, orderId: string): Promise<void> {
  const { amountCents, refunds } = await tx.db.order.findUniqueOrThrow({
    where: { id: orderId },
    include: { refunds: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  })
  const ours = refunds.find(isUnsentForFailedPurchase)
  const theirs = sentRefunds(refunds).filter(({ requestedBy }) => requestedBy === 'stripe')
  const newest = theirs.at(-1)
  if (!ours || !newest) return
  // If the amount paid differs from the order, the amount of our refund is the amount paid.
  const isMismatch = ours.requestedBy === 'mismatch'
  const paidCents = isMismatch ? ours.amountCents : amountCents
  const leftCents = theirs.reduce((left, refund) => left - refund.amountCents, paidCents)
  // The returned fee is never above the amount, or the database would refuse the row forever.
  const cut = (cents: number) => ({
    amountCents: cents,
    platformFeeCents: Math.min(ours.platformFeeCents, cents),
  })
  if (leftCents > 0) {
    if (!isMismatch) await tx.db.refund.update({ where: { id: ours.id }, data: cut(leftCents) })
    return
  }
  await tx.db.refund.delete({ where: { id: newest.id } })
  const { state, stripeRefundId, settledAt } = newest
  await tx.db.refund.update({
    where: { id: ours.id },
    data: { state, stripeRefundId, settledAt, ...cut(newest.amountCents) },
  })
}
