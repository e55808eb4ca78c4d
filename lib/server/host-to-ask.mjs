import { isIPv6 } from 'node:net'

/**
 * The host under which a server that listens on these addresses can be asked from this machine, as part of an address. Nobody
 * can be reached under the addresses that stand for all of a machine's own, although some systems allow it.
 * @param {string[]} addresses
 */
export function hostToAsk([address = '127.0.0.1']) {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (!isIPv6(address)) return address
  return `[${address === '::' ? '::1' : address}]`
}
