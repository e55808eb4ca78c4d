import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { closeBill } from './close-bill'

/**
 * Ends a subscription right away and closes its bill. Nothing happens when it has ended already.
 * @param options.wasUnpaid whether the caller has just read that the last bill is unpaid. If it is paid now, the
 *   payment was made in between and buys nothing, so it is refunded. If the process dies before the refund, a later
 *   call refunds only payments that were made after the end (closeBill()).
 */
export async function cancelPlan(ctx: Context, subscriptionId: string, options: { wasUnpaid?: boolean } = {}) {
  let ended: Stripe.Subscription
  try {
    ended = await ctx.stripe().subscriptions.cancel(subscriptionId, { expand: ['latest_invoice'] })
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
    return
  }
  await closeBill(ctx, ended, options)
}
