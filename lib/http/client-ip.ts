import 'server-only'
import { env } from '@/lib/infra/env'

/**
 * The client's network address: what the host says in a header of its own, else the entry that our outermost trusted
 * proxy wrote. The socket's own address is the last entry of x-forwarded-for (lib/server/receive-request.mjs), so
 * without a proxy that entry is used. Entries before it come from the client and may be false.
 */
export function clientIp(headers: Headers): string {
  const { clientAddressHeader } = env()
  if (clientAddressHeader) return headers.get(clientAddressHeader)?.trim() || 'unknown'
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const index = hops.length - 1 - env().trustedProxyHops
  return hops[Math.max(0, index)] ?? 'unknown'
}
