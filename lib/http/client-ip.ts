import 'server-only'
import { env } from '@/lib/infra/env'
import { log } from '@/lib/infra/log'
import { clientAddress, isPrivateAddress, readAddress } from '@/lib/kernel/network-address.mjs'
import { processState } from '@/lib/kernel/process-state.mjs'

const shared = processState('client-ip', () => ({ hasWarnedOfProxy: false }))

/**
 * The client's network address, in one spelling. It is read from the header that the hosting platform sets for this,
 * or else from x-forwarded-for, as far as TRUSTED_PROXY_HOPS lets us trust that header.
 */
export function clientIp(headers: Headers): string {
  const { clientAddressHeader } = env()
  const named = clientAddressHeader && headers.get(clientAddressHeader)
  if (named) return readAddress(named) ?? 'unknown'
  const forwarded = headers.get('x-forwarded-for') ?? ''
  const { trustedProxyHops } = env()
  if (trustedProxyHops === 0) warnOfUnknownProxy(forwarded)
  return clientAddress(forwarded, trustedProxyHops)
}

/** Warns once about a proxy that is not configured: behind it all visitors have one address and share each rate limit. */
function warnOfUnknownProxy(forwarded: string): void {
  // A client on the internet may send the header itself, but then its socket has a public address.
  if (shared.hasWarnedOfProxy || !forwarded.includes(',')) return
  if (!isPrivateAddress(clientAddress(forwarded, 0))) return
  shared.hasWarnedOfProxy = true
  log().warn(
    'Requests come through a proxy, but TRUSTED_PROXY_HOPS is 0: all visitors count as one. Set it to the number of proxies in front.',
  )
}
