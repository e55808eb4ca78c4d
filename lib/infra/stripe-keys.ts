import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import { HOUR_MS } from '@/lib/kernel/time'
import { isStripeKeyInUse } from './stripe-errors'

const KEY_IN_USE_TRIES = 5
const KEY_IN_USE_PAUSE_MS = 150

/** Calls Stripe again, after a growing pause, while another request under the same idempotency key is still running. */
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
 * An idempotency key that changes every hour. Stripe repeats a stored refusal or failure under its key for at least a day, so a
 * key that never changes would keep a call from ever succeeding. Only for calls that Stripe itself refuses to do twice, such as
 * the refund of a whole payment.
 */
export function hourlyKey(key: string, now: Date): string {
  return `${key}-${Math.floor(now.getTime() / HOUR_MS)}`
}
