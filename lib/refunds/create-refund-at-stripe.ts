import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeFailure } from '@/lib/infra/stripe-errors'
import { onceKeyIsFree } from '@/lib/infra/stripe-keys'

type Unsent = { id: string; failures: number }

/**
 * Requests a refund from Stripe with an idempotency key that changes after each failure of Stripe itself, because
 * Stripe repeats a failure for the same key for at least a day (docs/stripe-rules.md, A7). Before each further attempt
 * the caller must look for the refund at Stripe, because a call that failed or got no response may have taken effect.
 * @throws Stripe's error
 */
export async function createRefundAtStripe(
  ctx: Context,
  { id, failures }: Unsent,
  key: string,
  refund: Stripe.RefundCreateParams,
): Promise<void> {
  const idempotencyKey = failures === 0 ? key : `${key}-again-${failures}`
  try {
    await onceKeyIsFree(() => ctx.stripe().refunds.create(refund, { idempotencyKey }))
  } catch (error) {
    if (isStripeFailure(error))
      await ctx.db.refund.updateMany({ where: { id, failures }, data: { failures: failures + 1 } })
    throw error
  }
}
