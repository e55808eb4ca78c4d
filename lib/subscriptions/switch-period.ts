import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { BillingPeriod } from '@/lib/plans/rules'
import { ensurePrice } from './ensure-price'
import { getRunningSubscription } from './guards'
import { subscriptionError } from './messages'
import { keepRenewing } from './rules'
import { syncSubscription } from './sync-subscription'

/**
 * Switches to the other billing period, which begins now. Its price is charged right away, less a credit for the unused
 * part of the current period. A credit beyond the price reduces the next bills. The same call makes a canceled plan
 * renew again, because otherwise the new period would end early. A period whose renewal is unpaid cannot be switched,
 * because Stripe would credit it as if it had been paid.
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION, RENEWAL_UNPAID, SWITCH_DECLINED (nothing has changed then)
 */
export async function switchPeriod(ctx: Context<UserActor>, billingPeriod: BillingPeriod): Promise<void> {
  const own = await getRunningSubscription(ctx)
  if (own.billingPeriod === billingPeriod) return
  const current = await ctx.stripe().subscriptions.retrieve(own.stripeSubscriptionId)
  // Stripe decides, because its event about a failed renewal may not have arrived yet.
  if (current.status !== 'active' || (await isUnpaid(ctx, current))) throw subscriptionError('RENEWAL_UNPAID')
  const [item] = current.items.data
  if (!item) throw subscriptionError('NO_SUBSCRIPTION')
  try {
    await ctx.stripe().subscriptions.update(own.stripeSubscriptionId, {
      items: [{ id: item.id, price: await ensurePrice(ctx, billingPeriod) }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
      // Without this, a subscription in Stripe's flexible billing mode would keep its billing anchor, and the first
      // period would be shorter than we promise.
      billing_cycle_anchor: { type: 'now' },
      ...keepRenewing(current),
    })
  } catch (error) {
    if ((error as { type?: unknown }).type === 'StripeCardError') {
      throw subscriptionError('SWITCH_DECLINED', { cause: error })
    }
    throw error
  }
  await syncSubscription(ctx, own.customerId)
}

/**
 * Whether the current period is not paid yet. A renewal is a draft for an hour before it is charged, and the
 * subscription counts as active meanwhile (docs/stripe-rules.md, C6).
 */
async function isUnpaid(ctx: Context, { latest_invoice: latest }: Stripe.Subscription): Promise<boolean> {
  if (!latest) return false
  const invoice = typeof latest === 'string' ? await ctx.stripe().invoices.retrieve(latest) : latest
  return invoice.status !== 'paid'
}
