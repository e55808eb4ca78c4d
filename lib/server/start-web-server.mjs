// The HTTP server around Next's request handler. `next start` is not used, because it ends every request after 300 s, and
// an upload may take ten minutes.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { codeOf } from '../kernel/caught-error.mjs'
import { CONTENT_BYTES_HEADER } from '../kernel/response-headers.mjs'
import { drainRequest } from './drain-request.mjs'
import { explainMethodNotAllowed } from './explain-method-not-allowed.mjs'
import { pathOf } from './path-of.mjs'

/**
 * @import { EventEmitter } from 'node:events'
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { Duplex } from 'node:stream'
 */

/** @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} RequestHandler */

const REQUEST_MS = 11 * 60_000
/** Clients that send their headers slowly may not hold a connection for as long as an upload may. */
const HEADERS_MS = 20_000
/** How often Node looks for late headers. Its default of 30 s would be longer than the limit above. */
const CHECK_MS = 5_000
const KEEP_ALIVE_MS = 65_000
const LAST_REQUESTS_MS = 25_000
/** Next builds a Request object for any other method, and that throws for TRACE. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
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
      if (!METHODS.has(request.method ?? '')) return void response.writeHead(405).end()
      request.url = decodableUrl(request.url)
      drainRequest(request, response)
      explainMethodNotAllowed(request, response)
      // Answers to calls that write are a few hundred bytes. Next would compress each of them, which costs a purchase more
      // processor time than its statements.
      if (request.method === 'POST' && request.url.startsWith('/api/')) delete request.headers['accept-encoding']
      restoreContentLength(response)
      // The last entry is the only one that a client cannot forge; lib/http/client-ip.ts counts from there.
      const forwarded = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
      request.headers['x-forwarded-for'] = forwarded.filter(Boolean).join(', ')
      handle(request, response)
    })
    server.requestTimeout = REQUEST_MS
    server.headersTimeout = HEADERS_MS
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

/**
 * Sets the Content-Length of a streamed answer. Next drops it, and without it a browser cannot show how far a download is;
 * so the application sends the length in a header of its own (lib/http/responses.ts).
 * @param {ServerResponse} response
 */
function restoreContentLength(response) {
  const { writeHead } = response
  response.writeHead = (/** @type {unknown[]} */ ...rest) => {
    const bytes = response.getHeader(CONTENT_BYTES_HEADER)
    response.removeHeader(CONTENT_BYTES_HEADER)
    if (bytes !== undefined && !response.hasHeader('content-encoding')) response.setHeader('Content-Length', bytes)
    return Reflect.apply(writeHead, response, rest)
  }
}

/**
 * Next answers 500 to an address with broken percent-encoding. No page or file has such an address, so it is replaced by one
 * that gets a 404.
 * @param {string} [url]
 */
function decodableUrl(url = '/') {
  try {
    decodeURIComponent(pathOf(url))
    return url
  } catch {
    return url.startsWith('/api/') ? '/api/not-found' : '/not-found'
  }
}
