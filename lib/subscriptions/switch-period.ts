import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { BillingPeriod } from '@/lib/plans/rules'
import { ensurePrice } from './ensure-price'
import { getRunningSubscription } from './guards'
import { subscriptionError } from './messages'
import { syncSubscription } from './sync-subscription'

/**
 * Switches to the other billing period from now on. The unused part of the paid period is credited to the first bill,
 * and any remainder to the next ones.
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION, SWITCH_DECLINED (nothing has changed then)
 */
export async function switchPeriod(ctx: Context<UserActor>, billingPeriod: BillingPeriod): Promise<void> {
  const own = await getRunningSubscription(ctx)
  if (own.billingPeriod === billingPeriod) return
  const { items } = await ctx.stripe().subscriptions.retrieve(own.stripeSubscriptionId)
  const [item] = items.data
  if (!item) throw subscriptionError('NO_SUBSCRIPTION')
  try {
    await ctx.stripe().subscriptions.update(own.stripeSubscriptionId, {
      items: [{ id: item.id, price: await ensurePrice(ctx, billingPeriod) }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      cancel_at_period_end: false,
    })
  } catch (error) {
    if ((error as { type?: unknown }).type === 'StripeCardError') {
      throw subscriptionError('SWITCH_DECLINED', { cause: error })
    }
    throw error
  }
  await syncSubscription(ctx, own.customerId)
}
