import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing, isStripeRefusal } from '@/lib/infra/stripe-errors'
import { type ReleaseReason, releaseHold } from './release-hold'
import { isPaymentIntent } from './rules'
import { settleCheckout } from './settle-checkout'

type Checkout = { holdId: string; stripeId: string | null }

/**
 * Ends a checkout that must no longer be paid and releases its units. If it was paid in the meantime, it is settled
 * instead: Stripe's answer decides, even when payment and closing happen at the same moment.
 * @returns true when this call released the units, or when Stripe reports that the checkout ended unpaid; its units may
 * then have been released earlier.
 */
export async function closeCheckout(ctx: Context, checkout: Checkout, reason: ReleaseReason): Promise<boolean> {
  const { stripeId } = checkout
  if (!stripeId) return releaseHold(ctx, checkout.holdId, reason)
  try {
    if (isPaymentIntent(stripeId)) await ctx.stripe().paymentIntents.cancel(stripeId)
    else await ctx.stripe().checkout.sessions.expire(stripeId)
  } catch (error) {
    // Stripe does not know this checkout because the API keys were changed since, so nobody can pay it.
    if (isStripeMissing(error)) return releaseHold(ctx, checkout.holdId, reason)
    // Only an open checkout can be closed: this one is paid or closed already, and settling finds out which.
    if (isStripeRefusal(error)) return (await settleCheckout(ctx, stripeId)) === 'released'
    throw error
  }
  return releaseHold(ctx, checkout.holdId, reason)
}
