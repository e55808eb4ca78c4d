import { addressOfHost, isLocalOrigin } from '../infra/env-rules.mjs'

/** The machine itself, in both address families. */
export const LOOPBACK = ['127.0.0.1', '::1']

/**
 * The addresses to listen on: the one in HOST; without it, every IPv4 address for a public origin, and loopback for a local
 * one. Loopback means both address families, because `localhost` may resolve to either.
 * @param {string} appUrl
 * @param {string} [host] the variable HOST.
 */
export function listenAddresses(appUrl, host) {
  const address = addressOfHost(host)
  if (address && address !== 'localhost') return [address]
  return address === 'localhost' || isLocalOrigin(appUrl) ? LOOPBACK : ['0.0.0.0']
}
