import 'server-only'
import type { Refund } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { newId } from '@/lib/kernel/id'
import { MINUTE_MS } from '@/lib/kernel/time'
import { queueMail } from '@/lib/notifications/queue-mail'
import { findOverpaidCents } from '@/lib/payouts/find-overpaid-cents'
import { settleOrderPayout } from '@/lib/payouts/record-deduction'
import { settlePayout } from '@/lib/payouts/settle-payouts'
import { bookDeduction } from './book-deduction'
import { lockOrder } from './guards'
import { orderError } from './messages'
import { refundNotCoveredNotice } from './refund-not-covered-notice'
import type { RefundRequester } from './rules'
import { syncRefunds } from './sync-refunds'

type TakenFirst = Pick<Refund, 'id' | 'orderId'>

/** After this time nobody waits for the response of the call that made the refund, so the seller gets an email. */
const WAITING_MS = MINUTE_MS

/**
 * Takes the amount of a refund back from the seller's account before the refund is sent (ADR 0027). Once the account
 * has returned the money, the refund keeps the time, and no later change of the payout stops it. If the account cannot
 * return the money, the refund is withdrawn. Several processes may call this for one refund.
 * @throws REFUND_NOT_COVERED when the refund was withdrawn, and Stripe's error when Stripe is not available
 */
export async function takeBackRefund(ctx: Context, refund: TakenFirst): Promise<void> {
  // An earlier attempt may have reached Stripe although its response was lost.
  await syncRefunds(ctx, refund.orderId)
  if (await noteTakenBack(ctx, refund)) return
  const { id } = await ctx.db.transfer.findUniqueOrThrow({ where: { orderId: refund.orderId }, select: { id: true } })
  await settlePayout(ctx, id).catch((error: unknown) => {
    if (isStripeUnavailable(error)) throw error
    ctx.log.warn({ orderId: refund.orderId, cause: String(error) }, 'payout not taken back')
  })
  if (await noteTakenBack(ctx, refund)) return
  if (!(await withdraw(ctx, refund))) return
  await settleOrderPayout(ctx, refund.orderId)
  throw orderError('REFUND_NOT_COVERED')
}

/**
 * Records that the account has returned the money, if it has.
 * @returns true also when the refund needs nothing anymore, because another process has sent it
 * @throws REFUND_NOT_COVERED when another process has withdrawn it
 */
function noteTakenBack(ctx: Context, { id, orderId }: TakenFirst): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    await lockOrder(tx, orderId)
    const refund = await tx.db.refund.findUnique({ where: { id } })
    if (!refund) throw orderError('REFUND_NOT_COVERED')
    if (refund.state !== 'pending' || refund.stripeRefundId || refund.takenBackAt) return true
    // A process of the previous version may have recorded the deduction without this refund.
    await bookDeduction(tx, await tx.db.order.findUniqueOrThrow({ where: { id: orderId } }))
    if ((await findOverpaidCents(tx, orderId)) > 0) return false
    await tx.db.refund.update({ where: { id }, data: { takenBackAt: tx.clock.now() } })
    return true
  })
}

/**
 * Deletes a refund that was not sent, so that the order, the payout and the buyer's request are as before.
 * @returns false when another process has sent or deleted it meanwhile
 */
function withdraw(ctx: Context, { id, orderId }: TakenFirst): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    await lockOrder(tx, orderId)
    const refund = await tx.db.refund.findUnique({ where: { id } })
    if (refund?.state !== 'pending' || refund.stripeRefundId || refund.takenBackAt) return false
    await tx.db.refund.delete({ where: { id } })
    const order = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include: { seller: true } })
    await bookDeduction(tx, order)
    if (refund.reason !== '') {
      const { amountCents, reason } = refund
      const requestedBy: RefundRequester = 'buyer'
      const asked = { id: newId('ref'), orderId, amountCents, platformFeeCents: 0, reason, requestedBy }
      await tx.db.refund.create({ data: { ...asked, state: 'requested' } })
    }
    if (tx.clock.now().getTime() - refund.createdAt.getTime() > WAITING_MS) {
      await queueMail(tx, [refundNotCoveredNotice(order, refund, tx.appUrl)])
    }
    return true
  })
}
