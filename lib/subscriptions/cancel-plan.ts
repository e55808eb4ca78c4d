import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { closeBill, endedUnpaidComment } from './close-bill'

/**
 * Ends a subscription right away and closes its bill. Nothing happens when it has ended already.
 * @param options.wasUnpaid whether the caller has just read that the last bill is unpaid. If it is paid now, the
 *   payment was made in between and buys nothing, so it is refunded. Stripe stores this reason with the end, so the
 *   next synchronization makes the refund if this process dies first.
 */
export async function cancelPlan(ctx: Context, subscriptionId: string, { wasUnpaid = false } = {}) {
  let ended: Stripe.Subscription
  try {
    ended = await ctx.stripe().subscriptions.cancel(subscriptionId, {
      expand: ['latest_invoice'],
      ...(wasUnpaid && { cancellation_details: { comment: endedUnpaidComment(subscriptionId) } }),
    })
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
    return
  }
  await closeBill(ctx, ended)
}
