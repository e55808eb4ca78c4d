import 'server-only'
import { StripeFault } from './stripe-fault'

/** The rate limits of a Stripe sandbox, in requests per second (docs.stripe.com/rate-limits). */
const PER_ENDPOINT = 25
const IN_ALL = 100
const WINDOW_MS = 1_000

export type TrafficCounts = { reads: number; writes: number; refused: number }

export type Traffic = {
  counts: () => TrafficCounts
  /**
   * Counts a request. If `hasLimits` is true, throws StripeFault (429) for a request beyond Stripe's limits. Refused
   * requests and requests with `hasLimits` false do not count against the limits.
   */
  admit: (method: string, path: string, hasLimits: boolean) => void
}

/**
 * The limits for writes to single endpoints and objects. A sandbox allows 5 calls a second to create accounts; live
 * mode allows 30.
 */
const WRITE_LIMITS: readonly { path: RegExp; most: number; windowMs: number }[] = [
  { path: /^\/v1\/accounts$/, most: 5, windowMs: 1_000 },
  { path: /^\/v1\/payment_intents\/pi_\w+$/, most: 1_000, windowMs: 60 * 60_000 },
  { path: /^\/v1\/subscriptions\/sub_\w+$/, most: 10, windowMs: 60_000 },
  { path: /^\/v1\/subscriptions\/sub_\w+$/, most: 20, windowMs: 24 * 60 * 60_000 },
]

/** Returns the name of an endpoint: its method, and its path with `:id` instead of each part that looks like an id. */
export function endpointOf(method: string, path: string): string {
  return `${method} ${path.replace(/\/[a-z]+_\w+(?=\/|$)/g, (part) => (/\d/.test(part) ? '/:id' : part))}`
}

/** Creates a counter of API calls, which is kept in memory and refuses calls beyond Stripe's rate limits. */
export function createTraffic(now: () => number = () => performance.now()): Traffic {
  const counts: TrafficCounts = { reads: 0, writes: 0, refused: 0 }
  const recent: { at: number; endpoint: string }[] = []

  const writes: { at: number; path: string }[] = []

  function refuse(reason: 'endpoint-rate' | 'global-rate' | 'resource-specific'): never {
    counts.refused += 1
    throw new StripeFault(
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded. Try again later.' },
      { headers: { 'stripe-rate-limited-reason': reason } },
    )
  }

  return {
    counts: () => ({ ...counts }),
    admit: (method, path, hasLimits) => {
      const endpoint = endpointOf(method, path)
      counts[method === 'GET' ? 'reads' : 'writes'] += 1
      if (!hasLimits) return
      const at = now()
      while (recent[0] && recent[0].at <= at - WINDOW_MS) recent.shift()
      if (recent.length >= IN_ALL) refuse('global-rate')
      if (recent.filter((one) => one.endpoint === endpoint).length >= PER_ENDPOINT) refuse('endpoint-rate')
      for (const limit of method === 'POST' ? WRITE_LIMITS.filter((one) => one.path.test(path)) : []) {
        const within = writes.filter((one) => one.path === path && one.at > at - limit.windowMs)
        if (within.length >= limit.most) refuse('resource-specific')
      }
      recent.push({ at, endpoint })
      if (method === 'POST' && WRITE_LIMITS.some((one) => one.path.test(path))) writes.push({ at, path })
    },
  }
}
