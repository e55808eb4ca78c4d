import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import type Stripe from 'stripe'

const TOO_MANY = 429
/**
 * The pauses before the repeated calls, in milliseconds. Their sum is about four seconds, well within a call's timeout.
 */
const PAUSES_MS = [250, 500, 1_000, 2_000]

/**
 * Returns a client that repeats calls which Stripe refused because of its rate limit (429), after growing pauses.
 * Stripe has not carried out such a call, so repeating it is safe with and without an idempotency key. The pauses vary
 * at random, so that the calls of a rush are not all repeated at the same moment. If every try is refused, or no time
 * is left for the next pause, the client returns the last refusal.
 *
 * All tries together, up to the last byte of the response, must end within the timeout of one call. The SDK's client
 * for Node does not ensure this, because it starts its timeout after connecting, and again whenever data arrives.
 * @param isPatient whether a refused call is repeated at all
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
        // The response is read to its end, so that the connection can be used again.
        await before(endsAt, response.toJSON()).catch(() => undefined)
        await sleep(pauseMs)
        response = await send()
      }
      const read = response.toJSON.bind(response)
      return Object.assign(response, { toJSON: () => before(endsAt, read()) })
    },
  }
}

/** The SDK recognizes a timeout by the code of this error, because its own clients throw errors with the same code. */
const timeoutError = () => Object.assign(new TypeError('the call to Stripe took too long'), { code: 'ETIMEDOUT' })

/** Waits for the promise, and throws an error if it is still pending at `endsAt` (a time of performance.now()). */
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
