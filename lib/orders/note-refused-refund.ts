import 'server-only'
import type { Order, Refund } from '@prisma/client'
import { listAdministratorEmails } from '@/lib/accounts/queries'
import { type Context, transaction } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { refundOwedNotice } from './mails'
import { isOwedByPlatform } from './rules'

/**
 * Records that Stripe refused a refund. When the platform owes it, nobody else sees the refusal, so the administrators are
 * notified.
 */
export async function noteRefusedRefund(ctx: Context, refund: Refund & { order: Order }): Promise<void> {
  const where = { id: refund.id, state: 'pending' } as const
  const mails = isOwedByPlatform(refund) ? await refundOwedMails(ctx, refund.order, refund) : []
  await transaction(ctx, async (tx) => {
    const { count } = await tx.db.refund.updateMany({ where, data: { state: 'failed' } })
    if (count > 0) await queueMail(tx, mails)
  })
}

/** The notices to all administrators that a refund owed by the platform has failed and has to be paid in another way. */
export async function refundOwedMails(ctx: Context, order: Order, refund: Pick<Refund, 'id' | 'amountCents'>) {
  const emails = await listAdministratorEmails(ctx.db)
  return emails.map((email) => refundOwedNotice(order, refund, email, ctx.appUrl))
}
