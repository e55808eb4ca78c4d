import { isPrivateAddress, siteOf } from '../kernel/network-address.mjs'
import { addressOfRequest } from './address-of-request.mjs'

/**
 * Returns the network whose requests share one allowance, or null when it is not known. Behind a proxy that is not
 * configured, all visitors have the proxy's address, and must not count as one network.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} trustedProxyHops how many proxies stand in front of this server
 * @returns {string | null}
 */
export function networkOfVisitor(request, trustedProxyHops) {
  const address = addressOfRequest(request, trustedProxyHops)
  return address === 'unknown' || isPrivateAddress(address) ? null : siteOf(address)
}
