import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing, isStripeRefusal } from '@/lib/infra/stripe-errors'
import { type ReleaseReason, releaseHold } from './hold/release-hold'
import { isPaymentIntent } from './rules'
import { settleCheckout, type Settlement } from './settlement/settle-checkout'

type Checkout = { holdId: string; stripeId: string | null }

/**
 * The outcome of closing a checkout:
 * - `released`: this call released its units.
 * - `paid`: it was paid before.
 * - `processing`: it stays open, because its payment is being processed.
 * - `over`: it could no longer be paid, and its units had been released before.
 */
export type ClosedCheckout = 'released' | 'paid' | 'processing' | 'over'

/**
 * Ends a checkout that must no longer be paid and releases its units. If it was paid in the meantime, it is settled
 * instead. Stripe's response decides, even when payment and closing happen at the same moment.
 */
export async function closeCheckout(ctx: Context, checkout: Checkout, reason: ReleaseReason): Promise<ClosedCheckout> {
  const { stripeId, holdId } = checkout
  const release = async () => ((await releaseHold(ctx, holdId, reason)) ? 'released' : 'over')
  if (!stripeId) return release()
  try {
    if (isPaymentIntent(stripeId)) await ctx.stripe().paymentIntents.cancel(stripeId)
    else await ctx.stripe().checkout.sessions.expire(stripeId)
  } catch (error) {
    // Stripe does not know this checkout because the API keys have been changed, so nobody can pay it.
    if (isStripeMissing(error)) return release()
    // Stripe refuses because the checkout is already paid or closed. settleCheckout() finds out which.
    if (isStripeRefusal(error)) return closedAs(await settleCheckout(ctx, stripeId))
    throw error
  }
  return release()
}

function closedAs(settlement: Settlement): ClosedCheckout {
  if (settlement === 'released') return 'released'
  if (settlement === 'over' || settlement === 'unknown') return 'over'
  // Stripe closes neither a checkout that was paid nor one whose payment is being processed, which counts as open.
  return settlement === 'open' || settlement === 'unpaid' ? 'processing' : 'paid'
}
