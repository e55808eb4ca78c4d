import 'server-only'
import { env } from '@/lib/infra/env'

/**
 * The client's network address: the entry that our outermost trusted proxy wrote. Our server appends the socket's own
 * address as the last entry of x-forwarded-for, so without a proxy that entry is used. Entries before it come from the
 * client and may be false.
 */
export function clientIp(headers: Headers): string {
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const index = hops.length - 1 - env().trustedProxyHops
  return hops[Math.max(0, index)] ?? 'unknown'
}
