import 'server-only'
import { env } from '@/lib/infra/env'
import { log } from '@/lib/infra/log'
import { clientAddress, isPrivateAddress, readAddress } from '@/lib/kernel/network-address.mjs'
import { processState } from '@/lib/kernel/process-state.mjs'

const shared = processState('client-ip', () => ({ hasWarnedOfProxy: false }))

/**
 * Returns the client's network address in its normal spelling, or "unknown". The address comes from the header that the
 * hosting platform sets for this purpose, or else from x-forwarded-for, which is trusted only as far as
 * TRUSTED_PROXY_HOPS allows.
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

/**
 * Warns once about a proxy that is not configured. Behind such a proxy all visitors have one address and use up the
 * same rate limits.
 */
function warnOfUnknownProxy(forwarded: string): void {
  // A client on the internet may send x-forwarded-for itself, but then the last address, which is that of the socket,
  // is public.
  if (shared.hasWarnedOfProxy || !forwarded.includes(',')) return
  if (!isPrivateAddress(clientAddress(forwarded, 0))) return
  shared.hasWarnedOfProxy = true
  log().warn(
    'Requests come through a proxy, but TRUSTED_PROXY_HOPS is 0: all visitors count as one. Set it to the number of proxies in front.',
  )
}
