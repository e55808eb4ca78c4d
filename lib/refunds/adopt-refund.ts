import 'server-only'
import type { Refund } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isUnsentForFailedPurchase, isUnsentRest, refundOfRest, sentRefunds } from '@/lib/orders/refund-rules'

/**
 * Adjusts a refund by rule that is not sent yet, after someone has made refunds in Stripe's dashboard. If those refunds
 * return the whole payment, Stripe would refuse ours forever. The refund of a late order or a closed account is then
 * deleted, and the newest refund of the dashboard replaces that of a failed purchase. Otherwise ours is reduced to the
 * rest of the payment. If the amount paid differs from the order, ours stays unchanged and Stripe refunds what is left.
 * Call it in the transaction that records the refunds of the dashboard, with the order locked.
 */
export async function adoptRefund(tx: Context, orderId: string): Promise<void> {
  const { refunds, ...order } = await tx.db.order.findUniqueOrThrow({
    where: { id: orderId },
    include: { refunds: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] } },
  })
  const rest = refunds.find(isUnsentRest)
  if (rest)
    await reduceToRest(
      tx,
      rest,
      refundOfRest(
        order,
        refunds.filter(({ id }) => id !== rest.id),
      ),
    )
  const ours = refunds.find(isUnsentForFailedPurchase)
  const theirs = sentRefunds(refunds).filter(({ requestedBy }) => requestedBy === 'stripe')
  const newest = theirs.at(-1)
  if (!ours || !newest) return
  // If the amount paid differs from the order, the amount of our refund is the amount paid.
  const isMismatch = ours.requestedBy === 'mismatch'
  const paidCents = isMismatch ? ours.amountCents : order.amountCents
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

/** Reduces a refund to what the other refunds have left of the payment. */
async function reduceToRest(
  tx: Context,
  { id, amountCents }: Pick<Refund, 'id' | 'amountCents'>,
  left: { amountCents: number; platformFeeCents: number },
): Promise<void> {
  if (left.amountCents === 0) await tx.db.refund.delete({ where: { id } })
  else if (left.amountCents < amountCents) await tx.db.refund.update({ where: { id }, data: left })
}
