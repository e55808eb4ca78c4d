import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeFailure } from '@/lib/infra/stripe-errors'
import type { AppError } from '@/lib/kernel/app-error'
import { orderError } from './messages'
import { releaseHold } from './release-hold'
import type { TakenHold } from './take-hold'

/**
 * Releases the units of a checkout that Stripe did not open. When Stripe may have opened it all the same (no answer, a
 * rate limit, or a first failure), the buyer's next try reuses the order and its idempotency key. Stripe repeats a
 * stored failure under the same key for a day, so the order is given up after a second failure.
 * @returns the error for the buyer; null when Stripe denied a retry. Then the earlier try may be the reason, and the
 *   caller may place a new order at once.
 */
export async function giveUpOpening(ctx: Context, hold: TakenHold, error: unknown): Promise<AppError | null> {
  const isFinal = isStripeDenial(error) || (hold.isRetry && isStripeFailure(error))
  await releaseHold(ctx, hold.holdId, isFinal ? 'stripe-refused' : 'stripe-away')
  ctx.log.error({ orderId: hold.orderId, cause: String(error) }, 'checkout not opened')
  if (hold.isRetry && isStripeDenial(error)) return null
  return orderError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 2 })
}
