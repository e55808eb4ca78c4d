import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeRefusal } from '@/lib/infra/stripe-errors'
import { isInquiry } from '@/lib/kernel/is-inquiry'
import { statusOfDispute } from '@/lib/kernel/status-of-dispute'
import { readCreditLeft } from './read-credit-left'
import { syncSubscription } from './sync-subscription'
import { withdrawCredit } from './withdraw-credit'

/**
 * Ends a seller's plan when the cardholder disputes a payment for it, because the bank takes the money back. Otherwise
 * Pro would continue for up to a year without having been paid. Other plans of the same seller stay, such as one that
 * was bought and paid later, but not the credit of the disputed plan. An inquiry of the bank moves no money and changes
 * nothing until it becomes a dispute. May run any number of times.
 * @returns `unknown` when the payment was not for Pro, or when no money was taken
 */
export async function endDisputedPlan(
  ctx: Context,
  intentId: string,
  disputeId: string,
): Promise<'plan ended' | 'unknown'> {
  const stripe = ctx.stripe()
  const plan = await findPlanOf(ctx, intentId)
  if (!plan || (await ctx.db.user.count({ where: { stripeCustomerId: plan.customerId } })) === 0) return 'unknown'
  const { customerId, subscriptionId } = plan
  const status = statusOfDispute(await stripe.disputes.retrieve(disputeId))
  if (isInquiry(status) || ['won', 'prevented'].includes(status)) return 'unknown'
  try {
    await stripe.subscriptions.cancel(subscriptionId)
  } catch (error) {
    // The subscription has ended already.
    if (!isStripeRefusal(error)) throw error
  }
  await syncSubscription(ctx, customerId)
  // A credit of another plan stays, because it belongs to the seller. The credit of the disputed plan goes even while
  // another plan runs, for which the disputed money would otherwise go on paying.
  await withdrawCredit(ctx, customerId, subscriptionId, await readCreditLeft(ctx, subscriptionId))
  return 'plan ended'
}

/** Returns the subscription that a payment has paid for, and its customer; null when it has paid for none. */
async function findPlanOf(ctx: Context, intentId: string) {
  const stripe = ctx.stripe()
  const payment = { type: 'payment_intent' as const, payment_intent: intentId }
  const [paid] = (await stripe.invoicePayments.list({ payment, limit: 1 })).data
  if (!paid) return null
  const { customer, parent } = await stripe.invoices.retrieve(idOf(paid.invoice))
  const subscription = parent?.subscription_details?.subscription
  return customer && subscription ? { customerId: idOf(customer), subscriptionId: idOf(subscription) } : null
}

const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id)
