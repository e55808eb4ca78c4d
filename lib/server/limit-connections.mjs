import { isPrivateAddress, readAddress, siteOf } from '../kernel/network-address.mjs'
import { serverState } from '../kernel/server-state.mjs'

/**
 * @import { Server } from 'node:http'
 * @import { Socket } from 'node:net'
 */

/**
 * How many connections one network may have open. A connection takes up to 18 KB while its headers arrive, so these
 * take 72 MB. A client with an IPv4 and an IPv6 network can take 144 MB, and no client may take more than 150 MB. A
 * browser opens up to six connections, so 660 phones of one network have enough.
 */
const MOST_CONNECTIONS = 4_000

const TEXT = 'Your network has too many open connections. Try again in 20 seconds.'
const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'Retry-After: 20',
  'Connection: close',
  'Content-Type: text/plain; charset=utf-8',
  `Content-Length: ${TEXT.length}`,
  '',
  TEXT,
].join('\r\n')

/**
 * Returns the network that a connection comes from, or null when it is not known. Behind a proxy, all connections are
 * the proxy's, and the proxy has to limit those of its clients.
 * @param {Socket} socket
 */
export function networkOfSocket({ remoteAddress }) {
  const address = readAddress(remoteAddress ?? '')
  if (serverState().trustedProxyHops > 0 || address === null || isPrivateAddress(address)) return null
  return siteOf(address)
}

/**
 * Refuses the connections of a network that has too many open ones. Without this limit, one client could open tens of
 * thousands, send a part of the headers on each, and fill the memory.
 * @param {Server} server
 * @param {{ most?: number, networkOf?: (socket: Socket) => string | null }} [options]
 */
export function limitConnections(server, { most = MOST_CONNECTIONS, networkOf = networkOfSocket } = {}) {
  /** @type {Map<string, number>} */
  const openOf = new Map()
  server.on('connection', (socket) => {
    const network = networkOf(socket)
    if (network === null) return
    const open = openOf.get(network) ?? 0
    if (open >= most) return void socket.end(REFUSAL, () => socket.destroy())
    openOf.set(network, open + 1)
    socket.once('close', () => {
      const left = (openOf.get(network) ?? 1) - 1
      if (left > 0) openOf.set(network, left)
      else openOf.delete(network)
    })
  })
}
