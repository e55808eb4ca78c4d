import 'server-only'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { checkoutError } from '../messages'

/**
 * How often a buyer may replace the open checkout of a drop. Each time costs two calls to Stripe and stays as a row.
 */
const RESTARTS: RateLimit = { name: 'checkout-restart', points: 20, windowSeconds: 600 }

/**
 * Counts that a buyer replaces the open checkout of a drop. Call it right before that checkout is closed, so that a
 * choice that is refused for another reason does not count.
 * @throws RESTARTED_OFTEN with the seconds until the next one is possible
 */
export async function assertFewRestarts(dropId: number, buyerKey: string): Promise<void> {
  const retryAfterSeconds = await consume(RESTARTS, `${dropId} ${buyerKey}`)
  if (retryAfterSeconds !== null) throw checkoutError('RESTARTED_OFTEN', { retryAfterSeconds })
}
