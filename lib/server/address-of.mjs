import { isIPv6 } from 'node:net'

/** @import { IncomingMessage } from 'node:http' */

/**
 * The client's network address, or the network of an IPv6 address, of which a client has as many as it likes. Like
 * lib/http/client-ip.ts it trusts as many entries of X-Forwarded-For as there are proxies in front; the web server has
 * added the socket's address as the last one.
 * @param {Pick<IncomingMessage, 'headers' | 'socket'>} request
 * @param {number} trustedProxyHops
 */
export function addressOf({ headers, socket }, trustedProxyHops) {
  const entries = String(headers['x-forwarded-for'] ?? socket.remoteAddress ?? '').split(',')
  const address = (entries.at(-1 - trustedProxyHops) ?? entries[0] ?? '').trim().replace(/^::ffff:(?=\d+\.)/i, '')
  return isIPv6(address) ? networkOf(address) : address
}

/** @param {string} address */
function networkOf(address) {
  const [start = '', end] = address.toLowerCase().split('::')
  const before = start.split(':').filter(Boolean)
  const after = (end ?? '').split(':').filter(Boolean)
  const zeros = end === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
  return `${groups.slice(0, 4).join(':')}::/64`
}
