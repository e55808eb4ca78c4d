import { addressOfHost, isLocalOrigin } from '../infra/env-rules.mjs'

/** The loopback addresses of both address families. */
export const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Returns the addresses to listen on: the address in HOST if HOST names one, otherwise all IPv4 addresses for a public
 * origin and loopback for a local one. With `localhost` in HOST it is loopback, too. Loopback means both address
 * families, because `localhost` can resolve to either.
 * @param {string} appUrl
 * @param {string} [host] the variable HOST.
 */
export function listenAddresses(appUrl, host) {
  const address = addressOfHost(host)
  if (address && address !== 'localhost') return [address]
  return address === 'localhost' || isLocalOrigin(appUrl) ? LOOPBACK : ['0.0.0.0']
}
