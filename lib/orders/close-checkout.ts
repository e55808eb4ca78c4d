import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing, isStripeRefusal } from '@/lib/infra/stripe-errors'
import { type ReleaseReason, releaseHold } from './release-hold'
import { isPaymentIntent } from './rules'
import { settleCheckout } from './settle-checkout'

type Checkout = { holdId: string; stripeId: string | null }

/**
 * Ends a checkout that should not be paid any more and frees its units. When it was paid meanwhile it is settled
 * instead: what Stripe says decides, also when the two happen at once.
 * @returns whether this call freed the units.
 */
export async function closeCheckout(ctx: Context, checkout: Checkout, reason: ReleaseReason): Promise<boolean> {
  const { stripeId } = checkout
  if (!stripeId) return releaseHold(ctx, checkout.holdId, reason)
  try {
    if (isPaymentIntent(stripeId)) await ctx.stripe().paymentIntents.cancel(stripeId)
    else await ctx.stripe().checkout.sessions.expire(stripeId)
  } catch (error) {
    // Stripe does not know it, so nobody can pay it: the keys were changed since.
    if (isStripeMissing(error)) return releaseHold(ctx, checkout.holdId, reason)
    // Only an open checkout can be closed: this one is paid or closed already, and settling finds out which.
    if (isStripeRefusal(error)) return (await settleCheckout(ctx, stripeId)) === 'released'
    throw error
  }
  return releaseHold(ctx, checkout.holdId, reason)
}
