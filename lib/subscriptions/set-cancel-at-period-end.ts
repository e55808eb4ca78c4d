import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { getRunningSubscription } from './guards'
import { syncSubscription } from './sync-subscription'

/**
 * Cancels the plan at the end of the paid period, or takes the cancellation back (docs/product.md#how-pro-ends).
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION
 */
export async function setCancelAtPeriodEnd(ctx: Context<UserActor>, isCanceling: boolean): Promise<void> {
  const { stripeSubscriptionId, customerId } = await getRunningSubscription(ctx)
  await ctx.stripe().subscriptions.update(stripeSubscriptionId, { cancel_at_period_end: isCanceling })
  await syncSubscription(ctx, customerId)
}
