import 'server-only'
import { StripeFault } from './stripe-fault'

/** Stripe's limits, requests a second (docs.stripe.com/rate-limits). */
const PER_ENDPOINT = 25
const IN_ALL = 100
const WINDOW_MS = 1_000

export type TrafficCounts = { reads: number; writes: number; refused: number }

export type Traffic = {
  counts: () => TrafficCounts
  /**
   * Counts a request. Throws StripeFault (429) when it is more than Stripe allows in a second, if limits are on. Nothing is
   * counted against the limits while they are off.
   */
  admit: (method: string, endpoint: string, hasLimits: boolean) => void
}

/** An endpoint's name: its path without the ids in it. */
export function endpointOf(method: string, path: string): string {
  return `${method} ${path.replace(/\/[a-z]+_\w+(?=\/|$)/g, (part) => (/\d/.test(part) ? '/:id' : part))}`
}

/** Counts the requests that this process receives, and refuses those that Stripe would refuse. */
export function createTraffic(now: () => number = () => performance.now()): Traffic {
  const counts: TrafficCounts = { reads: 0, writes: 0, refused: 0 }
  const recent: { at: number; endpoint: string }[] = []

  function refuse(reason: 'endpoint-rate' | 'global-rate'): never {
    counts.refused += 1
    throw new StripeFault(
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Request rate limit exceeded. Try again later.' },
      { headers: { 'stripe-rate-limited-reason': reason } },
    )
  }

  return {
    counts: () => ({ ...counts }),
    admit: (method, endpoint, hasLimits) => {
      counts[method === 'GET' ? 'reads' : 'writes'] += 1
      if (!hasLimits) return
      const at = now()
      while (recent[0] && recent[0].at <= at - WINDOW_MS) recent.shift()
      if (recent.length >= IN_ALL) refuse('global-rate')
      if (recent.filter((one) => one.endpoint === endpoint).length >= PER_ENDPOINT) refuse('endpoint-rate')
      recent.push({ at, endpoint })
    },
  }
}
