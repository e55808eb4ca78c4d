import 'server-only'
import type { Refund } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { isStripeDenial, isStripeMissing } from '@/lib/infra/stripe-errors'
import { newId } from '@/lib/kernel/id'
import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'
import { queueMail } from '@/lib/notifications/queue-mail'
import { adoptTransfers } from '@/lib/payouts/adopt-transfers'
import { findOverpaidCents } from '@/lib/payouts/find-overpaid-cents'
import { settleOrderPayout } from '@/lib/payouts/record-deduction'
import { settlePayout } from '@/lib/payouts/settle-payouts'
import { bookDeduction } from './book-deduction'
import { closureNotCoveredNotice } from './closure-mails'
import { lockHoldAndOrder } from '@/lib/orders/guards'
import { refundError } from './messages'
import { refundNotCoveredNotice } from './mails'
import type { RefundRequester } from '@/lib/orders/refund-rules'
import { settleLateOrder } from './settle-late-order'
import { syncRefunds } from './sync-refunds'

type TakenFirst = Pick<Refund, 'id' | 'orderId' | 'requestedBy' | 'createdAt'>

/** After this time the call that made the refund has been answered, so the seller gets an email. */
const WAITING_MS = 20 * SECOND_MS

/**
 * For how many days a refund of a closed account waits for the money. Stripe takes nothing back from money that is
 * still pending, and a payment is pending for some days. We chose the number.
 */
export const CLOSURE_WAIT_DAYS = 7

/**
 * Takes the amount of a refund back from the seller's account before the refund is sent (ADR 0027). Once the account
 * has returned the money, `takenBackAt` stores the time, and no later change of the payout stops the refund. If the
 * account cannot return the money, the refund is withdrawn. The refund of a closed account waits for seven days before
 * that, and the sweep of payouts goes on trying. Several processes may call this for one refund.
 * @throws REFUND_NOT_COVERED when the refund waits or was withdrawn, and Stripe's error when Stripe did not refuse the
 *   reversal
 */
export async function takeBackRefund(ctx: Context, refund: TakenFirst): Promise<void> {
  // An earlier attempt may have reached Stripe although its response was lost.
  await syncRefunds(ctx, refund.orderId)
  const transfer = await ctx.db.transfer.findUniqueOrThrow({ where: { orderId: refund.orderId } })
  const { id, destination } = transfer
  // A transfer that is not known here would leave the seller money for which the refund is sent. Money is sent again
  // only after some was reversed or a debt was repaid, so most refunds need no search.
  const maySendAgain = transfer.reversedAtStripeCents > 0 || transfer.recoveredCents > 0
  if (maySendAgain && destination) await adoptTransfers(ctx, transfer)
  if (await noteTakenBack(ctx, refund)) return
  await settlePayout(ctx, id).catch((error: unknown) => {
    if (!isStripeDenial(error) && !isStripeMissing(error)) throw error
    ctx.log.warn({ orderId: refund.orderId, cause: String(error) }, 'payout not taken back')
  })
  if (await noteTakenBack(ctx, refund)) return
  const ageMs = ctx.clock.now().getTime() - refund.createdAt.getTime()
  if (refund.requestedBy === 'closure' && ageMs < CLOSURE_WAIT_DAYS * DAY_MS) throw refundError('REFUND_NOT_COVERED')
  if (!(await withdraw(ctx, refund))) return
  await settleOrderPayout(ctx, refund.orderId)
  throw refundError('REFUND_NOT_COVERED')
}

/**
 * Records that the account has returned the money, if it has.
 * @returns true also when the refund needs nothing anymore, because another process has sent it
 * @throws REFUND_NOT_COVERED when another process has withdrawn it
 */
function noteTakenBack(ctx: Context, { id, orderId }: TakenFirst): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    await lockHoldAndOrder(tx, orderId)
    const refund = await tx.db.refund.findUnique({ where: { id } })
    if (!refund) throw refundError('REFUND_NOT_COVERED')
    if (refund.state !== 'pending' || refund.stripeRefundId || refund.takenBackAt) return true
    // A process of the previous version may have recorded the deduction without this refund.
    await bookDeduction(tx, await tx.db.order.findUniqueOrThrow({ where: { id: orderId } }))
    if ((await findOverpaidCents(tx, orderId)) > 0) return false
    await tx.db.refund.update({ where: { id }, data: { takenBackAt: tx.clock.now() } })
    return true
  })
}

/**
 * Deletes a refund that was not sent, so that the order, the payout and the buyer's request are as before. The refund
 * of a closed account is kept as failed, so that administrators find it under "Stuck" and the sweep records no other.
 * @returns false when another process has sent or deleted it meanwhile
 */
function withdraw(ctx: Context, { id, orderId }: TakenFirst): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    await lockHoldAndOrder(tx, orderId)
    const refund = await tx.db.refund.findUnique({ where: { id } })
    if (refund?.state !== 'pending' || refund.stripeRefundId || refund.takenBackAt) return false
    const isOfClosure = refund.requestedBy === 'closure'
    if (isOfClosure) await tx.db.refund.update({ where: { id }, data: { state: 'failed' } })
    else await tx.db.refund.delete({ where: { id } })
    const order = await tx.db.order.findUniqueOrThrow({ where: { id: orderId }, include: { seller: true } })
    await bookDeduction(tx, order)
    if (isOfClosure) {
      // In a dispute the bank decides, and an order that was refunded in another way needs nothing.
      if (order.status === 'paid' && order.buyerEmail)
        await queueMail(tx, [closureNotCoveredNotice(order, refund, order.buyerEmail, tx.appUrl)])
      return true
    }
    const isAsked = (await tx.db.refund.count({ where: { orderId, state: 'requested' } })) > 0
    if (refund.reason !== '' && !isAsked) {
      const { amountCents, reason } = refund
      const requestedBy: RefundRequester = 'buyer'
      const asked = { id: newId('ref'), orderId, amountCents, platformFeeCents: 0, reason, requestedBy }
      await tx.db.refund.create({ data: { ...asked, state: 'requested' } })
    }
    if (tx.clock.now().getTime() - refund.createdAt.getTime() > WAITING_MS) {
      await queueMail(tx, [refundNotCoveredNotice(order, refund, tx.appUrl)])
    }
    await settleLateOrder(tx, orderId)
    return true
  })
}

/**
 * Releases the refunds of these orders that wait for money from the seller's account, so that they are sent without it.
 * It is called before a refund by rule, which returns only what the other refunds have left of a payment. If one of
 * them were withdrawn later, the buyer would not get the whole payment back. The rows of the orders must be locked.
 */
export async function keepTakenFirst(tx: Pick<Context, 'db' | 'clock'>, orderIds: readonly string[]): Promise<void> {
  await tx.db.refund.updateMany({
    where: { orderId: { in: [...orderIds] }, state: 'pending', isTakenBackFirst: true, takenBackAt: null },
    data: { takenBackAt: tx.clock.now() },
  })
}
