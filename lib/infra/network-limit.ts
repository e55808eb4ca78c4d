import 'server-only'
import { NETWORKS_PER_SITE, siteOf } from '@/lib/kernel/network-address.mjs'
import type { Context } from './context'
import { consume, giveBack, type RateLimit } from './rate-limit'

type Client = Pick<Context, 'ip' | 'network'>

function countsOf(limit: RateLimit, { ip, network }: Client): [RateLimit, string][] {
  const site = siteOf(ip)
  if (site === network) return [[limit, network]]
  const siteLimit = { ...limit, name: `${limit.name}-site`, points: limit.points * NETWORKS_PER_SITE }
  return [
    [limit, network],
    [siteLimit, site],
  ]
}

/**
 * Counts one use of a limit by the client's network, and for IPv6 also by the customer to whom the network belongs.
 * @returns null when the use is within the limit, otherwise the seconds until the next use is allowed
 */
export async function consumeForNetwork(limit: RateLimit, client: Client): Promise<number | null> {
  for (const [counted, key] of countsOf(limit, client)) {
    const retryAfterSeconds = await consume(counted, key)
    if (retryAfterSeconds !== null) return retryAfterSeconds
  }
  return null
}

/** Subtracts one use that consumeForNetwork() has counted and that should not count after all. */
export async function giveBackToNetwork(limit: RateLimit, client: Client): Promise<void> {
  for (const [counted, key] of countsOf(limit, client)) await giveBack(counted, key)
}
