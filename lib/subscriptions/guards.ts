import 'server-only'
import type { Subscription } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { subscriptionError } from './messages'

export type OwnSubscription = Subscription & {
  customerId: string
  /** Whether an administrator has ended Pro although Stripe still grants it. */
  isEndedByAdmin: boolean
}

/**
 * Returns the user's own subscription, which must not have ended.
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION
 */
export async function getRunningSubscription(ctx: Context<UserActor>): Promise<OwnSubscription> {
  if (ctx.payments === 'off') throw subscriptionError('PAYMENTS_OFF')
  const found = await ctx.db.subscription.findFirst({
    where: { userId: ctx.actor.userId, status: { not: 'canceled' } },
    include: { user: { select: { stripeCustomerId: true, plan: true } } },
  })
  if (!found?.user.stripeCustomerId) throw subscriptionError('NO_SUBSCRIPTION')
  const { user, ...own } = found
  const isEndedByAdmin = own.isEntitled && user.plan === 'free'
  return { ...own, isEndedByAdmin, customerId: found.user.stripeCustomerId }
}
