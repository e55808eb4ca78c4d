import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeDenial, isStripeFailure } from '@/lib/infra/stripe-errors'
import type { AppError } from '@/lib/kernel/app-error'
import { orderError } from './messages'
import { releaseHold } from './release-hold'
import type { TakenHold } from './take-hold'

/**
 * Stripe did not open a checkout: its units are free again. Where Stripe may have opened it all the same (no answer, too
 * many calls, failed once) the buyer's next try is the same order with the same key. Stripe replays a failure under its
 * key for a day, so that a second one ends that.
 * @returns the error for the buyer; null when only the earlier try was in the way and a new order can be placed at once.
 */
export async function giveUpOpening(ctx: Context, hold: TakenHold, error: unknown): Promise<AppError | null> {
  const isFinal = isStripeDenial(error) || (hold.isRetry && isStripeFailure(error))
  await releaseHold(ctx, hold.holdId, isFinal ? 'stripe-refused' : 'stripe-away')
  ctx.log.error({ orderId: hold.orderId, cause: String(error) }, 'checkout not opened')
  if (hold.isRetry && isStripeDenial(error)) return null
  return orderError('STRIPE_AWAY', { cause: error, retryAfterSeconds: 2 })
}
