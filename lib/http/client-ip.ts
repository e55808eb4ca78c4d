import 'server-only'
import { env } from '@/lib/infra/env'
import { log } from '@/lib/infra/log'
import { isPrivateAddress, readAddress } from '@/lib/infra/network-address'

const shared = globalThis as unknown as { lastcallHasWarnedOfProxy?: boolean }

/**
 * The client's network address, in its one spelling: what the host says in a header of its own, else the entry that our
 * outermost trusted proxy wrote. Our server appends the socket's own address as the last entry of x-forwarded-for, so
 * without a proxy that entry is used. Entries before it come from the client and may be false.
 */
export function clientIp(headers: Headers): string {
  const { clientAddressHeader } = env()
  if (clientAddressHeader) return headers.get(clientAddressHeader)?.trim() || 'unknown'
  const hops = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const { trustedProxyHops } = env()
  if (trustedProxyHops === 0) warnOfUnknownProxy(hops)
  const index = hops.length - 1 - trustedProxyHops
  const entry = hops[Math.max(0, index)] ?? ''
  return readAddress(entry) ?? 'unknown'
}

/** A proxy nobody told us about makes every visitor look like one: they would share each limit. Said once. */
function warnOfUnknownProxy(hops: readonly string[]): void {
  if (shared.lastcallHasWarnedOfProxy || hops.length < 2) return
  // A client on the internet may send the header itself, but then its socket has a public address.
  if (!isPrivateAddress(readAddress(hops.at(-1) ?? '') ?? '')) return
  shared.lastcallHasWarnedOfProxy = true
  log().warn(
    'Requests come through a proxy, but TRUSTED_PROXY_HOPS is 0: all visitors count as one. Set it to the number of proxies in front.',
  )
}
