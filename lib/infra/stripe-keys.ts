import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@/lib/kernel/time'
import { isStripeKeyInUse } from './stripe-errors'

const KEY_IN_USE_TRIES = 5
const KEY_IN_USE_PAUSE_MS = 150

/**
 * Repeats a call to Stripe up to four times, after growing pauses, while another request with the same idempotency key
 * is still running.
 */
export async function onceKeyIsFree<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await call()
    } catch (error) {
      if (tries === KEY_IN_USE_TRIES || !isStripeKeyInUse(error)) throw error
      await sleep(KEY_IN_USE_PAUSE_MS * tries)
    }
  }
}

/**
 * Returns an idempotency key that changes every hour. Stripe repeats a stored refusal or failure for the same key for
 * at least a day, so a constant key could block a call for that long. Use an hourly key only for calls that Stripe
 * itself refuses to do twice, such as the refund of a whole payment.
 */
export function hourlyKey(key: string, now: Date): string {
  return `${key}-${Math.floor(now.getTime() / HOUR_MS)}`
}
