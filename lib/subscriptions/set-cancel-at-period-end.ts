import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { getRunningSubscription } from './guards'
import { keepRenewing } from './rules'
import { syncSubscription } from './sync-subscription'

/**
 * Cancels the plan at the end of the paid period, or undoes a cancellation that was made here or in Stripe's billing
 * portal (docs/product.md#how-pro-ends).
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION
 */
export async function setCancelAtPeriodEnd(ctx: Context<UserActor>, isCanceling: boolean): Promise<void> {
  const { stripeSubscriptionId: id, customerId } = await getRunningSubscription(ctx)
  const { subscriptions } = ctx.stripe()
  if (isCanceling) await subscriptions.update(id, { cancel_at_period_end: true })
  else await subscriptions.update(id, keepRenewing(await subscriptions.retrieve(id)))
  await syncSubscription(ctx, customerId)
}
