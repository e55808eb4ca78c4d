import 'server-only'
import { MINUTE_MS } from '@/lib/kernel/time'
import { isStripeFailure } from './stripe-errors'
import { onceKeyIsFree } from './stripe-keys'

/**
 * Creates an object at Stripe, of a kind that does no harm if it is created twice. Stripe stores a failure of its own
 * under the idempotency key and repeats it, so a constant key alone would keep failing. After such a failure this
 * function first looks for the object, because Stripe may have created it after all. If there is none, it creates the
 * object with a key that changes every minute.
 * @throws Stripe's error if the second call fails as well, or if the first one failed for another reason
 */
export async function createDespiteFailure<T>(
  { key, now }: { key: string; now: Date },
  { find, create }: { find: () => Promise<T | null>; create: (idempotencyKey: string) => Promise<T> },
): Promise<T> {
  try {
    return await onceKeyIsFree(() => create(key))
  } catch (error) {
    if (!isStripeFailure(error)) throw error
    const freshKey = `${key}-${Math.floor(now.getTime() / MINUTE_MS)}`
    return (await find()) ?? (await onceKeyIsFree(() => create(freshKey)))
  }
}
