import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeFailure } from '@/lib/infra/stripe-errors'
import type { AppError } from '@/lib/kernel/app-error'
import { checkoutError } from '../messages'
import { releaseHold } from './release-hold'
import type { TakenHold } from './take-hold'

/**
 * Releases the units of a checkout that Stripe did not open. If Stripe did not respond or limited the rate, the buyer's
 * next attempt reuses the order and its idempotency key, because Stripe may have opened the checkout after all. The
 * order is given up when Stripe denies the call or fails, because Stripe repeats that response for the same key for a
 * day. If Stripe opened the checkout although it reported a failure, nobody has its URL, so nobody can pay there.
 * @returns the error for the buyer, or null when Stripe denied a retry. The earlier attempt may be the reason for the
 *   denial, so the caller may place a new order right away.
 */
export async function giveUpOpening(ctx: Context, hold: TakenHold, error: unknown): Promise<AppError | null> {
  const isFinal = isStripeDenial(error) || isStripeFailure(error)
  await releaseHold(ctx, hold.holdId, isFinal ? 'stripe-refused' : 'stripe-away')
  ctx.log.error({ orderId: hold.orderId, cause: String(error) }, 'checkout not opened')
  if (hold.isRetry && isStripeDenial(error)) return null
  return checkoutError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 2 })
}
