import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { BillingPeriod } from '@/lib/plans/rules'
import { ensurePrice } from './ensure-price'
import { getRunningSubscription, type OwnSubscription } from './guards'
import { subscriptionError } from './messages'
import { isMoneyOwedFor, keepRenewing } from './rules'

/** A switch that is possible now, and the parameters that both its preview and the switch itself send to Stripe. */
export type PreparedSwitch = {
  own: OwnSubscription
  params: Pick<
    Stripe.SubscriptionUpdateParams & Stripe.InvoiceCreatePreviewParams.SubscriptionDetails,
    'proration_behavior' | 'cancel_at' | 'cancel_at_period_end'
  > & { items: { id: string; price: string }[]; billing_cycle_anchor: { type: 'now' } }
}

/**
 * Checks that the seller's subscription can switch to a billing period now. The new period begins now, and the same
 * call makes a canceled plan renew again, because otherwise the new period would end early. A period whose renewal is
 * unpaid cannot be switched, because Stripe would credit it as if it had been paid. A plan that an administrator has
 * ended, or whose payments are about to be returned, cannot be switched either, because the payment would buy nothing.
 * @throws PAYMENTS_OFF, NO_SUBSCRIPTION, ALREADY_SWITCHED, RENEWAL_UNPAID
 */
export async function prepareSwitch(ctx: Context<UserActor>, billingPeriod: BillingPeriod): Promise<PreparedSwitch> {
  const own = await getRunningSubscription(ctx)
  if (own.billingPeriod === billingPeriod) throw subscriptionError('ALREADY_SWITCHED')
  const current = await ctx.stripe().subscriptions.retrieve(own.stripeSubscriptionId)
  if (own.isEndedByAdmin || isMoneyOwedFor(own, current)) throw subscriptionError('NO_SUBSCRIPTION')
  // Stripe decides, because its event about a failed renewal may not have arrived yet.
  if (current.status !== 'active' || (await isUnpaid(ctx, current))) throw subscriptionError('RENEWAL_UNPAID')
  const [item] = current.items.data
  if (!item) throw subscriptionError('NO_SUBSCRIPTION')
  return {
    own,
    params: {
      items: [{ id: item.id, price: await ensurePrice(ctx, billingPeriod) }],
      proration_behavior: 'always_invoice',
      // Without this, a subscription in Stripe's flexible billing mode would keep its billing anchor, and the first
      // period would be shorter than we promise.
      billing_cycle_anchor: { type: 'now' },
      ...keepRenewing(current),
    },
  }
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
