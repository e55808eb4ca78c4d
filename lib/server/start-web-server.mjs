// The HTTP server around Next's request handler. `next start` is not used, because it ends every request whose body
// takes longer than 300 s to arrive, and an upload may take ten minutes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { codeOf } from '../kernel/caught-error.mjs'
import { limitConnections } from './limit-connections.mjs'
import { limitTimes, receiveRequest } from './receive-request.mjs'
import { mustWait, waitForTurn } from './wait-for-turn.mjs'

/**
 * @import { EventEmitter } from 'node:events'
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { Duplex } from 'node:stream'
 */

/** @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} RequestHandler */

/** How often Node checks for late requests. Its default of 30 s is longer than our time limit for headers. */
const CHECK_MS = 5_000
const KEEP_ALIVE_MS = 65_000
const LAST_REQUESTS_MS = 25_000
/** The error codes of listen() on a machine without IPv6 or, less often, without IPv4. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/**
 * Starts an HTTP server on each of the addresses. Skips an address that does not exist on this machine. Throws if none
 * of them exists, or if the server cannot listen for another reason.
 * @param {{
 *   port: number,
 *   addresses: string[],
 *   handle: RequestHandler,
 *   answerAtOnce?: (request: IncomingMessage, response: ServerResponse) => boolean,
 *   upgrades?: EventEmitter,
 *   connectionLimit?: Parameters<typeof limitConnections>[1],
 * }} options `answerAtOnce` may answer a request before the request is prepared for Next. `upgrades` receives requests
 *   for WebSockets as `upgrade` events. Without `upgrades`, such a request is answered like any other.
 * @returns {Promise<{ close: () => Promise<void> }>} `close` refuses new connections, ends WebSockets right away, and
 *   waits up to 25 s until open requests have been answered
 */
export async function startWebServer({ port, addresses, handle, answerAtOnce, upgrades, connectionLimit }) {
  let isClosing = false
  /** @type {Server[]} */
  const servers = []
  /** @type {Set<Duplex>} */
  const sockets = new Set()
  /** @type {RequestHandler} */
  const answer = (request, response) => {
    if (!isClosing && answerAtOnce?.(request, response)) return
    if (isClosing) response.setHeader('Connection', 'close')
    if (receiveRequest(request, response)) handle(request, response)
  }
  for (const address of addresses) {
    const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
      if (mustWait(response)) waitForTurn(request, response, () => answer(request, response))
      else answer(request, response)
    })
    limitTimes(server)
    limitConnections(server, connectionLimit)
    server.keepAliveTimeout = KEEP_ALIVE_MS
    if (upgrades) {
      server.on('upgrade', (request, socket, head) => {
        // Node no longer counts an upgraded socket among the server's connections, but server.close() still waits for
        // it.
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
