// The HTTP server around Next's request handler. `next start` is not used, because it ends every request after 300 s, and
// an upload may take ten minutes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { codeOf } from '../kernel/caught-error.mjs'
import { limitTimes, receiveRequest } from './receive-request.mjs'

/**
 * @import { EventEmitter } from 'node:events'
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { Duplex } from 'node:stream'
 */

/** @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} RequestHandler */

/** How often Node looks for late headers. Its default of 30 s would be longer than the limit for them. */
const CHECK_MS = 5_000
const KEEP_ALIVE_MS = 65_000
const LAST_REQUESTS_MS = 25_000
/** What listen() fails with on a machine without IPv6 or, less often, without IPv4. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/**
 * @param {{
 *   port: number,
 *   addresses: string[],
 *   handle: RequestHandler,
 *   upgrades?: EventEmitter,
 * }} options `upgrades` receives requests for WebSockets as `upgrade` events; without it such a request is answered like
 *   any other
 * @returns {Promise<{ close: () => Promise<void> }>} `close` accepts no new connections and waits until requests under way
 *   have been answered
 */
export async function startWebServer({ port, addresses, handle, upgrades }) {
  let isClosing = false
  /** @type {Server[]} */
  const servers = []
  /** @type {Set<Duplex>} */
  const sockets = new Set()
  for (const address of addresses) {
    const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
      if (isClosing) response.setHeader('Connection', 'close')
      if (receiveRequest(request, response)) handle(request, response)
    })
    limitTimes(server)
    server.keepAliveTimeout = KEEP_ALIVE_MS
    if (upgrades) {
      server.on('upgrade', (request, socket, head) => {
        // Node stops counting an upgraded socket among the server's connections, but still waits for it when it closes.
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        if (!upgrades.emit('upgrade', request, socket, head)) socket.destroy()
      })
    }
    try {
      server.listen(port, address)
      await once(server, 'listening')
      servers.push(server)
    } catch (error) {
      if (!NO_SUCH_ADDRESS.includes(codeOf(error) ?? '')) throw error
    }
  }
  if (servers.length === 0) throw new Error(`None of the addresses ${addresses.join(', ')} exists on this machine.`)

  return {
    close: async () => {
      isClosing = true
      for (const socket of sockets) socket.destroy()
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      // A connection that becomes idle after this call would otherwise stay open for its whole keep-alive time.
      const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 100)
      const limit = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), LAST_REQUESTS_MS)
      await closed
      clearInterval(sweep)
      clearTimeout(limit)
    },
  }
}
