import 'server-only'
import type { User } from '@prisma/client'
import { listAdministratorEmails } from '@/lib/accounts/queries'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { type FailedRefund, moneyBackFailedMail, planRefundOwedMail } from './mails'

/**
 * Reads a refund of a payment for Pro after Stripe has reported a change. A refund can be canceled, and the bank can
 * reject a refund even days after it has succeeded. If this happens after the money-back request is finished, the user
 * and the administrators are emailed that the amount has to be paid in another way.
 * @returns the id of the Stripe customer if their money-back request is not finished, so that the caller continues the
 *   request; otherwise null.
 */
export async function followPlanRefund(ctx: Context, refundId: string): Promise<string | null> {
  const refund = await ctx
    .stripe()
    .refunds.retrieve(refundId)
    .catch((error: unknown) => {
      if (isStripeMissing(error)) return null
      throw error
    })
  if (refund?.metadata?.plan !== 'pro' || typeof refund.payment_intent !== 'string') return null
  const { customer } = await ctx.stripe().paymentIntents.retrieve(refund.payment_intent)
  if (typeof customer !== 'string') return null
  const user = await ctx.db.user.findUnique({ where: { stripeCustomerId: customer }, include: { subscription: true } })
  if (!user) return null
  if (user.subscription?.moneyBackAt && !user.subscription.moneyBackDoneAt) return customer
  if (refund.status === 'failed' || refund.status === 'canceled')
    await queueMail(ctx, await failedMoneyBackMails(ctx, user, refund))
  return null
}

/**
 * Returns the emails about a failed refund for Pro to the user, and to the administrators who have to pay the amount.
 * Several refunds of one user can fail at different times, and each of them is owed.
 */
export async function failedMoneyBackMails(ctx: Context, user: User, failed: FailedRefund): Promise<QueuedMail[]> {
  const owed = (await listAdministratorEmails(ctx.db)).map((email) =>
    planRefundOwedMail(email, user, failed, ctx.appUrl),
  )
  return [moneyBackFailedMail(user, failed), ...owed]
}
