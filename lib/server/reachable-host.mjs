import { isIPv6 } from 'node:net'

/**
 * Returns the host of the URL at which this machine can reach a server that listens on these addresses. For `0.0.0.0`
 * and `::`, which mean all addresses of a machine, it returns loopback, because only some systems can connect to them.
 * @param {string[]} addresses
 */
export function reachableHost([address = '127.0.0.1']) {
  if (address === '0.0.0.0') return '127.0.0.1'
  if (!isIPv6(address)) return address
  return `[${address === '::' ? '::1' : address}]`
}
