import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { getRunningSubscription } from './guards'
import { moneyBackMail } from './mails'
import { subscriptionError } from './messages'
import { refundCustomer } from './refund-customer'
import { canHaveMoneyBack } from './rules'
import { syncSubscription } from './sync-subscription'

/**
 * Refunds everything paid for Pro when the seller asks within 14 days of the first payment, once, and ends the plan at
 * once (docs/product.md#how-pro-ends). The promise is recorded first, so that the sweep can finish what fails
 * afterwards.
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
 * Sends a promised refund, then ends the plan. It is unfinished while the plan runs, and may run any number of times.
 */
export async function finishMoneyBack(ctx: Context, customerId: string): Promise<void> {
  const user = await ctx.db.user.findUniqueOrThrow({
    where: { stripeCustomerId: customerId },
    include: { subscription: true },
  })
  if (!user.subscription?.moneyBackAt || user.subscription.moneyBackDoneAt) return
  const refundedCents = await refundCustomer(ctx, { customer: customerId })
  try {
    await ctx.stripe().subscriptions.cancel(user.subscription.stripeSubscriptionId)
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
  }
  const mail = moneyBackMail(user, { userId: user.id, refundedCents })
  await queueMail(ctx, [mail])
  await syncSubscription(ctx, customerId)
  await ctx.db.subscription.update({ where: { userId: user.id }, data: { moneyBackDoneAt: ctx.clock.now() } })
}
