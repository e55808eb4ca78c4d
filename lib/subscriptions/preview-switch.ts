import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import type { UserActor } from '@/lib/kernel/actor'
import type { BillingPeriod } from '@/lib/plans/rules'
import { subscriptionError } from './messages'
import { prepareSwitch, type PreparedSwitch } from './prepare-switch'
import type { SwitchView } from './view'

/**
 * Asks Stripe what a switch of the billing period would charge now, and when the plan would renew. Nothing changes.
 * @throws the errors of prepareSwitch(), and STRIPE_AWAY
 */
export async function previewSwitch(ctx: Context<UserActor>, billingPeriod: BillingPeriod): Promise<SwitchView> {
  try {
    return await readSwitch(ctx, await prepareSwitch(ctx, billingPeriod))
  } catch (error) {
    if (isStripeUnavailable(error)) throw subscriptionError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 5 })
    throw error
  }
}

/**
 * Reads Stripe's preview of the invoice that a prepared switch creates (docs.stripe.com/api/invoices/create_preview).
 * What the credits are worth beyond today's price stays with the customer and pays the next bills.
 */
export async function readSwitch(ctx: Context, { own, params }: PreparedSwitch): Promise<SwitchView> {
  const invoice = await ctx.stripe().invoices.createPreview({
    subscription: own.stripeSubscriptionId,
    subscription_details: params,
  })
  const next = invoice.lines.data.find(({ parent }) => parent?.subscription_item_details?.proration === false)
  // Without this line, the preview does not say when the plan renews, so the seller could confirm no date.
  if (!next) throw subscriptionError('STRIPE_AWAY')
  return {
    todayCents: invoice.amount_due,
    creditCents: Math.max(0, -(invoice.total + invoice.starting_balance)),
    renewsOn: new Date(next.period.end * 1000).toISOString(),
  }
}
