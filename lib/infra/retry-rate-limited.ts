import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

const TOO_MANY = 429
/** Pauses before each further try, in milliseconds: about four seconds in all, well within the timeout of a call. */
const PAUSES_MS = [250, 500, 1_000, 2_000]

/**
 * Repeats a call that Stripe refused because there were too many (429), after growing pauses. Such a call was not carried out,
 * so repeating it is safe with and without an idempotency key. The pauses vary at random, so that the buyers of a rush do not
 * return all at once. The last refusal is returned to the caller.
 */
export function retryRateLimited(call: Fetch, pauses: readonly number[] = PAUSES_MS): Fetch {
  return async (input, init) => {
    for (const pause of pauses) {
      const response = await call(input, init)
      if (response.status !== TOO_MANY) return response
      await response.body?.cancel()
      await sleep(pause * (0.5 + Math.random()), undefined, init?.signal ? { signal: init.signal } : {})
    }
    return call(input, init)
  }
}
