import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { BillingPeriod } from '@/lib/plans/rules'
import { subscriptionError } from './messages'
import { prepareSwitch } from './prepare-switch'
import { readSwitch } from './preview-switch'
import { syncSubscription } from './sync-subscription'

/** The new billing period, and the amount that the seller was shown and has confirmed, if any. */
export type SwitchInput = { billingPeriod: BillingPeriod; todayCents?: number | undefined }

/**
 * Switches to the other billing period, which begins now. Its price is charged right away, less a credit for the unused
 * part of the current period. A credit beyond the price reduces the next bills. Nothing changes when Stripe would now
 * charge more than the seller has confirmed.
 * @throws the errors of prepareSwitch(), SWITCH_COSTS_MORE, SWITCH_DECLINED (nothing has changed then)
 */
export async function switchPeriod(ctx: Context<UserActor>, input: SwitchInput): Promise<void> {
  const prepared = await prepareSwitch(ctx, input.billingPeriod)
  if (input.todayCents !== undefined) {
    const { todayCents } = await readSwitch(ctx, prepared)
    if (todayCents > input.todayCents) throw subscriptionError('SWITCH_COSTS_MORE')
  }
  try {
    await ctx.stripe().subscriptions.update(prepared.own.stripeSubscriptionId, {
      ...prepared.params,
      payment_behavior: 'error_if_incomplete',
    })
  } catch (error) {
    if ((error as { type?: unknown }).type === 'StripeCardError') {
      throw subscriptionError('SWITCH_DECLINED', { cause: error })
    }
    throw error
  }
  await syncSubscription(ctx, prepared.own.customerId)
}
