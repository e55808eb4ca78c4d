import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeMissing } from '@/lib/infra/stripe-errors'
import { SECOND_MS } from '@/lib/kernel/time'
import { cancelUntil } from './cancel-until'
import { syncSubscription } from './sync-subscription'
import { withdrawCredit } from './withdraw-credit'

/**
 * Ends a seller's plan when the cardholder disputes a payment for it, because the bank takes the money back. Otherwise Pro
 * would continue for up to a year without having been paid. A plan that is bought after the dispute began stays. An
 * inquiry of the bank moves no money and changes nothing.
 * @returns `unknown` when the payment was not for Pro, or when no money was taken
 */
export async function endDisputedPlan(ctx: Context, intentId: string, disputeId: string): Promise<string> {
  const { customer } = await ctx
    .stripe()
    .paymentIntents.retrieve(intentId)
    .catch((error: unknown) => {
      if (isStripeMissing(error)) return { customer: null }
      throw error
    })
  if (typeof customer !== 'string') return 'unknown'
  if ((await ctx.db.user.count({ where: { stripeCustomerId: customer } })) === 0) return 'unknown'
  const { status, created } = await ctx.stripe().disputes.retrieve(disputeId)
  if (status.startsWith('warning_') || ['won', 'prevented'].includes(status)) return 'unknown'
  await cancelUntil(ctx, customer, new Date(created * SECOND_MS))
  await withdrawCredit(ctx, customer, disputeId)
  await syncSubscription(ctx, customer)
  return 'plan ended'
}
