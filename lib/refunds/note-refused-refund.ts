import 'server-only'
import type { Order, Refund } from '@prisma/client'
import { listAdministratorEmails } from '@/lib/accounts/queries'
import { type Context, transaction } from '@/lib/infra/context'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { bookDeduction } from './book-deduction'
import { lockHoldAndOrder } from '@/lib/orders/guards'
import { refundOwedNotice, refundFailedNotice, refundReturnedNotice } from './mails'
import { isOwedByPlatform } from '@/lib/orders/refund-rules'
import { settleLateOrder } from './settle-late-order'

/**
 * Records that Stripe refused a refund. If the platform owes the refund, the administrators are notified, because no
 * seller would notice the refusal.
 */
export async function noteRefusedRefund(ctx: Context, refund: Refund & { order: Order }): Promise<void> {
  const where = { id: refund.id, state: 'pending' } as const
  const mails = isOwedByPlatform(refund) ? await refundOwedMails(ctx, refund.order, refund) : []
  // Nobody waits for the result of the automatic refund of a late order, so the buyer and the seller get an email.
  if (refund.requestedBy === 'late') mails.push(...(await refundFailedMails(ctx, refund)))
  await transaction(ctx, async (tx) => {
    await lockHoldAndOrder(tx, refund.orderId)
    const { count } = await tx.db.refund.updateMany({ where, data: { state: 'failed' } })
    if (count === 0) return
    if (refund.isTakenBackFirst) {
      // The seller's account gets back what it has returned for this refund.
      await bookDeduction(tx, await tx.db.order.findUniqueOrThrow({ where: { id: refund.orderId } }))
    }
    await settleLateOrder(tx, refund.orderId)
    await queueMail(tx, mails)
  })
}

/**
 * Builds the emails about the refund of a late order. While the bank decides about a dispute, and after it has returned
 * all the money, there are none. Stripe may also refuse the refund after a dispute that was won or lost in part.
 * Without an email, the buyer would then wait for the money, and the seller would not ship.
 */
async function refundFailedMails(ctx: Context, refund: Refund): Promise<QueuedMail[]> {
  const where = { id: refund.orderId }
  const order = await ctx.db.order.findUniqueOrThrow({ where, include: { seller: true } })
  if (order.status === 'disputed') return []
  return [
    refundFailedNotice(order, refund, ctx.appUrl),
    ...(order.buyerEmail ? [refundReturnedNotice(order, refund, order.buyerEmail, ctx.appUrl)] : []),
  ]
}

/**
 * Builds the emails to all administrators about a refund owed by the platform that has failed and must be paid in
 * another way.
 */
export async function refundOwedMails(ctx: Context, order: Order, refund: Pick<Refund, 'id' | 'amountCents'>) {
  const emails = await listAdministratorEmails(ctx.db)
  return emails.map((email) => refundOwedNotice(order, refund, email, ctx.appUrl))
}
