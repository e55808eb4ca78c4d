import { clientAddress } from '../kernel/network-address.mjs'

/**
 * Returns the address of the visitor who sent a request, or `unknown`.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} trustedProxyHops how many proxies stand in front of this server
 */
export function addressOfRequest(request, trustedProxyHops) {
  const forwarded = String(request.headers['x-forwarded-for'] ?? request.socket?.remoteAddress ?? '')
  return clientAddress(forwarded, trustedProxyHops)
}
