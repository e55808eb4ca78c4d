import { isIP } from 'node:net'
import { isLocalOrigin } from '../infra/env-rules.mjs'

/** The machine itself, in both address families. */
export const LOOPBACK = ['127.0.0.1', '::1']

/**
 * The addresses to listen on: every address for a public origin, otherwise only loopback, in both address families,
 * because `localhost` may resolve to either.
 * @param {string} appUrl
 * @param {string} [host] the variable HOST. Shells set it to the machine's name, so anything but an IP address or
 *   `localhost` is ignored.
 */
export function listenAddresses(appUrl, host) {
  if (host && isIP(host)) return [host]
  return host === 'localhost' || isLocalOrigin(appUrl) ? LOOPBACK : ['0.0.0.0']
}
