import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import type Stripe from 'stripe'

const TOO_MANY = 429
/** Pauses before each further try, in milliseconds: about four seconds in all, well within the timeout of a call. */
const PAUSES_MS = [250, 500, 1_000, 2_000]

/**
 * Repeats a call that Stripe refused because there were too many (429), after growing pauses. Such a call was not carried
 * out, so repeating it is safe with and without an idempotency key. The pauses vary at random, so that the buyers of a rush
 * do not return all at once. All tries together, up to the last byte of the answer, have the time of one call. The SDK's
 * client for Node does not ensure this: it starts its timeout only once it is connected, and again whenever data moves. The
 * last refusal is returned.
 * @param isPatient whether this call is repeated at all
 */
export function retryRateLimited(
  client: Stripe.HttpClient,
  isPatient: (method: string, path: string) => boolean = () => true,
  pauses: readonly number[] = PAUSES_MS,
): Stripe.HttpClient {
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (host, port, path, method, headers, body, protocol, timeoutMs) => {
      const endsAt = performance.now() + timeoutMs
      const send = () => {
        const leftMs = Math.max(1, endsAt - performance.now())
        return before(endsAt, client.makeRequest(host, port, path, method, headers, body, protocol, leftMs))
      }
      let response = await send()
      for (const pause of isPatient(method, path) ? pauses : []) {
        const pauseMs = pause * (0.5 + Math.random())
        if (response.getStatusCode() !== TOO_MANY || performance.now() + pauseMs >= endsAt) break
        // Read to its end, so that the connection can be used again.
        await before(endsAt, response.toJSON()).catch(() => undefined)
        await sleep(pauseMs)
        response = await send()
      }
      const read = response.toJSON.bind(response)
      return Object.assign(response, { toJSON: () => before(endsAt, read()) })
    },
  }
}

/** The error by which the SDK knows that a call took too long; its own clients throw the same. */
const timeoutError = () => Object.assign(new TypeError('the call to Stripe took too long'), { code: 'ETIMEDOUT' })

/** What the promise gives, or an error when it takes too long. */
async function before<T>(endsAt: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(timeoutError()), Math.max(1, endsAt - performance.now()))
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
