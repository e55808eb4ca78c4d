// This file is plain JavaScript, because the server in front of the application uses it for its limits too.
import { isIP } from 'node:net'

/**
 * Returns the eight groups of an IPv6 address as numbers.
 * @param {string} address
 */
function groupsOf(address) {
  // URL always writes an address in the same form: in lower case, shortened, and an embedded IPv4 address as two
  // groups.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const read = (/** @type {string} */ part) => (part ? part.split(':').map((group) => parseInt(group, 16)) : [])
  const [left, right] = [read(head), read(tail)]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}

/**
 * @param {number} high
 * @param {number} low
 */
const ipv4Of = (high, low) => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/**
 * Reads one network address as proxies and sockets write it: with or without a port, brackets or a zone, and IPv4
 * inside IPv6.
 * @param {string} written
 * @returns {string | null} the address, always in the same spelling, or null when the string is not an address
 */
export function readAddress(written) {
  const text = written.trim()
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  const address = bare.replace(/%.*$/s, '')
  const version = isIP(address)
  if (version === 0) return null
  if (version === 4) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? ipv4Of(groups[6] ?? 0, groups[7] ?? 0) : new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/**
 * Returns the entry of X-Forwarded-For that names the client. The last entry is the socket's address, which our server
 * appends. Each trusted proxy has written one of the entries before it. Any earlier entries come from the client and
 * may be forged.
 * @param {string} forwarded
 * @param {number} trustedProxyHops
 * @returns {string} the client's address, or `unknown` when the entry is not an address
 */
export function clientAddress(forwarded, trustedProxyHops) {
  const hops = forwarded.split(',').filter((entry) => entry.trim() !== '')
  return readAddress(hops[Math.max(0, hops.length - 1 - trustedProxyHops)] ?? '') ?? 'unknown'
}

/**
 * Returns the key that rate limits use for an address. It is the IPv4 address, or the first 64 bits of an IPv6 address,
 * because all addresses with these bits usually belong to one customer. For a translated address (64:ff9b::/96) or a
 * tunnel (2002::/16) it is the IPv4 address inside.
 * @param {string} address
 */
export function networkOf(address) {
  if (isIP(address) !== 6) return address
  const groups = groupsOf(address)
  if (groups[0] === 0x2002) return ipv4Of(groups[1] ?? 0, groups[2] ?? 0)
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0)
  if (isTranslated) return ipv4Of(groups[6] ?? 0, groups[7] ?? 0)
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

/**
 * Returns the network that belongs to one customer at most: the first 48 bits of an IPv6 address, because customers get
 * up to this many networks of networkOf(). Otherwise it is the same as networkOf().
 * @param {string} address
 */
export function siteOf(address) {
  const network = networkOf(address)
  return network.endsWith('::/64') ? `${network.split(':').slice(0, 3).join(':')}::/48` : network
}

/**
 * How many times the limit of one network all networks of one customer get together. Without a limit for the customer,
 * each of its 65,536 IPv6 networks would have a limit of its own. A school that gives each building a network needs
 * more than the limit of one network.
 */
export const NETWORKS_PER_SITE = 4

/**
 * Whether an address belongs to this machine or a private network, as the address of a proxy usually does.
 * @param {string} address
 */
export function isPrivateAddress(address) {
  if (isIP(address) === 6) return address === '::1' || /^f[cd]/.test(address) || address.startsWith('fe80:')
  return /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\./.test(address)
}
