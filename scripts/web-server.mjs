// The HTTP server around Next's request handler. `next start` would end any request after 300 s; uploads may take ten
// minutes (SPEC), and slow headers may not.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { isIP } from 'node:net'
import { isLocalOrigin } from '../lib/infra/env-rules.mjs'

const REQUEST_MS = 11 * 60_000
const HEADERS_MS = 20_000
// Node looks for late headers this often; its own 30 s would let them be later than the limit.
const CHECK_MS = 5_000
const KEEP_ALIVE_MS = 65_000
const LAST_REQUESTS_MS = 25_000
// What is still read of a request that has its answer already.
const REST_BYTES = 16 * 1024 * 1024
const REST_MS = 10_000
// Next makes a Request of every other one, which throws for TRACE.
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const LOOPBACK = ['127.0.0.1', '::1']

/**
 * The addresses to listen on: everybody's for a public origin, otherwise only this machine's; both of those, because
 * `localhost` means either.
 * @param {string} appUrl
 * @param {string} [host] the variable HOST; shells set it to names of machines, which say nothing about listening
 */
export function listenAddresses(appUrl, host) {
  if (host && isIP(host)) return [host]
  return host === 'localhost' || isLocalOrigin(appUrl) ? LOOPBACK : ['0.0.0.0']
}

/**
 * An answer before the request was all there, a 401 or a 413 say. Closing at once would reset the connection under a client
 * that is still sending, and lose the answer; so what still comes is read and thrown away, up to a limit.
 */
function letTheRestPass(request, response) {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return
    const { socket } = request
    const before = socket.bytesRead
    const giveUp = () => socket.destroy()
    const timer = setTimeout(giveUp, REST_MS)
    const stop = () => clearTimeout(timer)
    // Whoever read it before has answered, and may have stopped reading in the middle.
    request.unpipe()
    request.removeAllListeners('readable')
    request.removeAllListeners('data')
    request.on('data', () => {
      if (socket.bytesRead - before > REST_BYTES) giveUp()
    })
    request.once('end', stop)
    request.once('close', stop)
    request.resume()
  })
}

/**
 * Next answers a method that a call does not have with an empty 405; it becomes an error like every other (CONTRACT, Errors),
 * with the methods the call has, which Next tells whoever asks for them.
 */
function explainMethod(request, response) {
  // It is what asks for the methods.
  if (request.method === 'OPTIONS') return
  const end = response.end.bind(response)
  const writeHead = response.writeHead.bind(response)
  let isExplained = false
  const isOurs = () => response.statusCode === 405 && !isExplained
  // Next's compression writes the head before it ends: it waits for what is going to be in it.
  response.writeHead = (...rest) => (isOurs() ? response : writeHead(...rest))
  response.end = (...rest) => {
    if (!isOurs()) return end(...rest)
    const text = `This call does not take ${request.method}.`
    const requestId = `req_${randomBytes(16).toString('base64url')}`
    const body = JSON.stringify({ error: text, message: text, code: 'METHOD_NOT_ALLOWED', requestId })
    void methodsOf(request).then((allowed) => {
      isExplained = true
      if (allowed) response.setHeader('Allow', allowed)
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('Cache-Control', 'private, no-store')
      response.setHeader('Content-Length', Buffer.byteLength(body))
      end(request.method === 'HEAD' ? undefined : body)
    })
    return response
  }
}

async function methodsOf({ url, socket }) {
  const host = isIP(socket.localAddress) === 6 ? `[${socket.localAddress}]` : socket.localAddress
  try {
    const answer = await fetch(`http://${host}:${socket.localPort}${url}`, { method: 'OPTIONS' })
    return answer.headers.get('allow')
  } catch {
    return null
  }
}

/**
 * Next drops the length of what is streamed, and without it nobody sees how far a download is: whoever knows the length says it
 * under a name of our own (lib/http/responses.ts).
 */
function restoreLength(response) {
  const writeHead = response.writeHead.bind(response)
  response.writeHead = (...rest) => {
    const bytes = response.getHeader('x-content-bytes')
    response.removeHeader('x-content-bytes')
    if (bytes !== undefined && !response.hasHeader('content-encoding')) response.setHeader('Content-Length', bytes)
    return writeHead(...rest)
  }
}

/** Next answers 500 to an address whose percent-encoding is broken; it is nobody's, so it becomes one that is not there. */
function readableUrl(url) {
  try {
    decodeURIComponent(url.split('?', 1)[0])
    return url
  } catch {
    return url.startsWith('/api/') ? '/api/not-found' : '/not-found'
  }
}

/**
 * @param {{
 *   port: number,
 *   addresses: string[],
 *   handle: (request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => unknown,
 *   upgrades?: import('node:events').EventEmitter,
 * }} options `upgrades`: who hears of WebSockets; without it a request to upgrade is answered like any other
 * @returns {Promise<{ close: () => Promise<void> }>}
 */
export async function startWebServer({ port, addresses, handle, upgrades }) {
  let isClosing = false
  const servers = []
  const sockets = new Set()
  for (const address of addresses) {
    const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
      if (isClosing) response.setHeader('Connection', 'close')
      if (!METHODS.has(request.method)) return void response.writeHead(405).end()
      request.url = readableUrl(request.url)
      letTheRestPass(request, response)
      explainMethod(request, response)
      restoreLength(response)
      // The one entry nobody can forge, last, where lib/http/client-ip.ts counts from.
      const forwarded = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
      request.headers['x-forwarded-for'] = forwarded.filter(Boolean).join(', ')
      handle(request, response)
    })
    server.requestTimeout = REQUEST_MS
    server.headersTimeout = HEADERS_MS
    server.keepAliveTimeout = KEEP_ALIVE_MS
    if (upgrades) {
      server.on('upgrade', (request, socket, head) => {
        // Node no longer counts an upgraded socket among the server's connections, yet waits for it when closing.
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
      // A machine without IPv6 (or, less often, without IPv4) has only one loopback address.
      if (error.code !== 'EADDRNOTAVAIL' && error.code !== 'EAFNOSUPPORT') throw error
    }
  }
  if (servers.length === 0) throw new Error(`None of the addresses ${addresses.join(', ')} exists on this machine.`)

  return {
    /** Takes no more connections and lets what is under way end. */
    close: async () => {
      isClosing = true
      for (const socket of sockets) socket.destroy()
      const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
      // A connection that falls idle after the call would otherwise stay open for its keep-alive time.
      const sweep = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 100)
      const limit = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), LAST_REQUESTS_MS)
      await closed
      clearInterval(sweep)
      clearTimeout(limit)
    },
  }
}
