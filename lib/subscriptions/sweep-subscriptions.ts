import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal, isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { HOUR_MS, SECOND_MS } from '@/lib/kernel/time'
import { cancelPlan } from './cancel-plan'
import { listStale, listUnknownSubscriptions, type Stale } from './queries'
import { refundInvoice } from './refund-customer'
import { toState } from './rules'
import { syncSubscription } from './sync-subscription'
import { finishMoneyBack } from './take-money-back'

const BATCH = 50
/**
 * How far back the sweep looks for new subscriptions. While nobody buys, it reads from Stripe only every two hours
 * (lib/jobs/plan-stripe-reads.ts). The rest of the time allows for an outage.
 */
const LOST_MS = 6 * HOUR_MS

/**
 * Makes up for missing webhooks: handles new subscriptions without an event, expired periods and grace periods, and
 * promised refunds. Also cancels a subscription at Stripe that no longer entitles to Pro, right away or at the end of
 * the paid period, so that nobody pays for nothing.
 * @param looksForLost whether to look at Stripe for subscriptions without an event. This costs a
 *   read even if there are none.
 */
export async function sweepSubscriptions(ctx: Context, { looksForLost = true } = {}): Promise<void> {
  if (ctx.payments === 'off') return
  const attempt = async (customerId: string, work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (error) {
      if (isStripeUnavailable(error)) throw error
      ctx.log.error(
        { customerId, cause: String(error) },
        'subscription could not be updated; the next sweep will try again',
      )
    }
  }
  const lost = looksForLost ? await listLostCustomers(ctx) : []
  for (const customerId of new Set(lost)) await attempt(customerId, () => syncSubscription(ctx, customerId))
  for (const stale of await listStale(ctx, BATCH)) await attempt(stale.customerId, () => bringInLine(ctx, stale))
}

/** Returns the customers of new subscriptions that our database does not have. */
async function listLostCustomers(ctx: Context): Promise<string[]> {
  const since = Math.floor((ctx.clock.now().getTime() - LOST_MS) / SECOND_MS)
  const { data } = await ctx.stripe().subscriptions.list({ created: { gte: since }, limit: 100 })
  const unknown = await listUnknownSubscriptions(
    ctx,
    data.map(({ id }) => id),
  )
  return data.filter(({ id }) => unknown.has(id)).map(({ customer }) => String(customer))
}

async function bringInLine(ctx: Context, { customerId, ...why }: Stale): Promise<void> {
  if (why.owesMoneyBack) return finishMoneyBack(ctx, customerId)
  const outcome = await syncSubscription(ctx, customerId)
  const row = await ctx.db.subscription.findFirst({
    where: { user: { stripeCustomerId: customerId }, status: { not: 'canceled' } },
  })
  if (!row) return
  const isUnpaid = outcome === 'free' && row.status === 'pastDue'
  try {
    if (why.closedAt) await endOrphan(ctx, row.stripeSubscriptionId, why.closedAt)
    else if (isUnpaid) await cancelPlan(ctx, row.stripeSubscriptionId, { wasUnpaid: true })
    else if (why.isUnwanted) {
      await ctx.stripe().subscriptions.update(row.stripeSubscriptionId, { cancel_at_period_end: true })
    } else return
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
  }
  await syncSubscription(ctx, customerId)
}

/**
 * Ends the subscription of a closed account. What was paid for it after the account was closed, on a page or with a
 * link that was still open then or by a renewal, is refunded. The subscription also ends if Stripe refuses the refund,
 * so that the card is not charged again.
 */
async function endOrphan(ctx: Context, subscriptionId: string, closedAt: Date): Promise<void> {
  const { status } = await ctx.stripe().subscriptions.retrieve(subscriptionId)
  await refundPaidAfter(ctx, subscriptionId, closedAt)
  await cancelPlan(ctx, subscriptionId, { wasUnpaid: toState(status) === 'pastDue' })
  // A renewal may have been paid between the two calls.
  await refundPaidAfter(ctx, subscriptionId, closedAt)
}

/** Refunds what was paid for a subscription after this time, unless Stripe refuses it. */
async function refundPaidAfter(ctx: Context, subscriptionId: string, time: Date): Promise<void> {
  try {
    for await (const bill of ctx.stripe().invoices.list({ subscription: subscriptionId, status: 'paid', limit: 100 })) {
      const paidAt = bill.status_transitions.paid_at
      // Stripe's times are whole seconds.
      const isLate = paidAt !== null && (paidAt + 1) * SECOND_MS > time.getTime()
      if (bill.id && bill.amount_paid > 0 && isLate) await refundInvoice(ctx, bill.id)
    }
  } catch (error) {
    if (!isStripeRefusal(error)) throw error
    ctx.log.error(
      { subscriptionId, cause: String(error) },
      'the payment for the plan of a closed account was not refunded',
    )
  }
}
