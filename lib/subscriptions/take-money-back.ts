import 'server-only'
import type { User } from '@prisma/client'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { SECOND_MS } from '@/lib/kernel/time'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { cancelPlan } from './cancel-plan'
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
 * Takes back the credit that the seller has, ends the plan, and refunds everything that was paid for it.
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
  // The plan ends first, so that it cannot renew even if a refund fails.
  await endPlan(ctx, customerId, moneyBackAt)
  await syncSubscription(ctx, customerId)
  const sum = await refundCustomer(ctx, { customer: customerId, boughtUntil: moneyBackAt })
  if (sum.pendingCents > 0) {
    await ctx.db.subscription.update({ where: { userId: user.id }, data: { moneyBackAt } })
    return
  }
  await queueMail(ctx, await mailsFor(ctx, user, sum))
  await ctx.db.subscription.update({ where: { userId: user.id }, data: { moneyBackDoneAt: ctx.clock.now() } })
}

/**
 * Takes back the credit of the subscriptions that existed when the seller asked for the money, and cancels them. A
 * later subscription is another purchase, which a credit then belongs to. Pro can be bought again only once these
 * subscriptions have ended, so the credit is taken back before, and no failure in between leaves it for the next
 * purchase. It is read again afterwards, because until then the seller may switch the billing period.
 */
async function endPlan(ctx: Context, customerId: string, until: Date): Promise<void> {
  const all = await ctx.stripe().subscriptions.list({ customer: customerId, status: 'all', limit: 100 })
  const isLater = ({ created }: Stripe.Subscription) => created * SECOND_MS > until.getTime()
  const isBoughtAgain = all.data.some((plan) => isLater(plan) && !isUnbought(plan))
  const cause = until.toISOString()
  if (!isBoughtAgain) await withdrawCredit(ctx, customerId, cause)
  const running = all.data.filter((plan) => !isLater(plan) && !['canceled', 'incomplete_expired'].includes(plan.status))
  // Voiding a bill returns the credit that it has used, so it comes before the credit is read again.
  for (const { id } of running) await cancelPlan(ctx, id)
  if (!isBoughtAgain && running.length > 0) await withdrawCredit(ctx, customerId, `${cause} canceled`)
}

/** Whether the first payment of a subscription was not made, so that nothing was bought. */
const isUnbought = ({ status }: Stripe.Subscription) => status === 'incomplete' || status === 'incomplete_expired'

async function mailsFor(ctx: Context, user: User, sum: PlanRefund): Promise<QueuedMail[]> {
  const mails: QueuedMail[] = []
  if (sum.refundedCents > 0) mails.push(moneyBackMail(user, { userId: user.id, refundedCents: sum.refundedCents }))
  for (const failed of sum.failed) mails.push(...(await failedMoneyBackMails(ctx, user, failed)))
  return mails
}
