import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { SECOND_MS } from '@/lib/kernel/time'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { failedMoneyBackMails } from './follow-plan-refund'
import { getRunningSubscription } from './guards'
import { moneyBackMail } from './mails'
import { subscriptionError } from './messages'
import { type PlanRefund, refundCustomer } from './refund-customer'
import { canHaveMoneyBack } from './rules'
import { syncSubscription } from './sync-subscription'
import { withdrawCredit } from './withdraw-credit'

/**
 * Ends a seller's plan right away and refunds everything that the seller has paid for Pro. A seller can ask for this
 * once, within 14 days of the first payment (docs/product.md#how-pro-ends). The promise is recorded first, so that the
 * sweep can finish what fails afterwards.
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION, NO_MONEY_BACK
 */
export async function takeMoneyBack(ctx: Context<UserActor>): Promise<void> {
  const own = await getRunningSubscription(ctx)
  const now = ctx.clock.now()
  if (!canHaveMoneyBack(own, now)) throw subscriptionError('NO_MONEY_BACK')
  const { count } = await ctx.db.subscription.updateMany({
    where: { id: own.id, moneyBackAt: null },
    data: { moneyBackAt: now },
  })
  if (count === 0) throw subscriptionError('NO_MONEY_BACK')
  await finishMoneyBack(ctx, own.customerId)
}

/**
 * Ends the plan, refunds what was paid for it before the seller asked, and takes back what is left of it as a credit.
 * May run any number of times, and has to run again while a refund is pending. The emails are queued once Stripe has
 * completed or refused every refund.
 */
export async function finishMoneyBack(ctx: Context, customerId: string): Promise<void> {
  const user = await ctx.db.user.findUniqueOrThrow({
    where: { stripeCustomerId: customerId },
    include: { subscription: true },
  })
  const { moneyBackAt, moneyBackDoneAt } = user.subscription ?? {}
  if (!moneyBackAt || moneyBackDoneAt) return
  // The plan is canceled first, so that it cannot renew even if a refund fails.
  await cancelUntil(ctx, customerId, moneyBackAt)
  const plan = await syncSubscription(ctx, customerId)
  const sum = await refundCustomer(ctx, { customer: customerId, paidUntil: moneyBackAt })
  // While a refund is pending, the seller may have bought Pro again, and a credit then belongs to the new plan.
  if (plan === 'free') await withdrawCredit(ctx, customerId, moneyBackAt.toISOString())
  if (sum.pendingCents > 0) {
    await ctx.db.subscription.update({ where: { userId: user.id }, data: { moneyBackAt } })
    return
  }
  await queueMail(ctx, await mailsFor(ctx, user, sum))
  await ctx.db.subscription.update({ where: { userId: user.id }, data: { moneyBackDoneAt: ctx.clock.now() } })
}

/**
 * Cancels the subscriptions that existed when the seller asked for the money. A later subscription is another purchase.
 */
async function cancelUntil(ctx: Context, customerId: string, until: Date): Promise<void> {
  const all = await ctx.stripe().subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
  for (const { id, status, created } of all.data) {
    if (created * SECOND_MS > until.getTime() || ['canceled', 'incomplete_expired'].includes(status)) continue
    try {
      await ctx.stripe().subscriptions.cancel(id)
    } catch (error) {
      if (!isStripeRefusal(error)) throw error
    }
  }
}

async function mailsFor(ctx: Context, user: User, sum: PlanRefund): Promise<QueuedMail[]> {
  const mails: QueuedMail[] = []
  if (sum.refundedCents > 0) mails.push(moneyBackMail(user, { userId: user.id, refundedCents: sum.refundedCents }))
  if (sum.failedCents > 0) mails.push(...(await failedMoneyBackMails(ctx, user, sum.failedCents)))
  return mails
}
