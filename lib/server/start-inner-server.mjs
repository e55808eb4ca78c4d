import { createServer, request as httpRequest } from 'node:http'
import { RenderTooSlow } from './create-render-queue.mjs'

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @import { RequestHandler } from './start-web-server.mjs'
 *
 * @typedef {{ status: number, headers: IncomingHttpHeaders, body: Buffer, askedAt: number }} WholeAnswer `askedAt` is
 *   when the rendering began, a time of `performance.now()`
 */

/** Headers that belong to one connection or transfer. The server that passes the answer on sets them itself. */
const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
  'content-encoding',
]

/** How long the rendering of a shared page may take, because everyone who asks for the page waits for it. */
const RENDER_MS = 10_000

/**
 * Serves Next on a port of its own on loopback, so that the shared cache can fetch complete answers. Only this process
 * uses the port.
 * @param {RequestHandler} handle Next's request handler
 */
export async function startInnerServer(handle) {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', () => resolve(undefined)))
  const { port } = /** @type {AddressInfo} */ (server.address())
  return {
    /**
     * Fetches the complete answer to a GET request. Of the visitor's headers, only `host` is passed on. Next's answer
     * depends on some of the others, but everyone gets this answer. The request names a user agent, because Next would
     * otherwise stream some tags that belong in <head> after it.
     * @param {string} url
     * @param {string | undefined} host
     * @param {number} [mostMs] how long the whole answer may take; RenderTooSlow is thrown after it
     * @returns {Promise<WholeAnswer>}
     */
    fetch: (url, host, mostMs = RENDER_MS) =>
      new Promise((resolve, reject) => {
        const askedAt = performance.now()
        const limit = setTimeout(() => {
          reject(new RenderTooSlow(`${url} was not rendered within ${mostMs} ms`))
          request.destroy()
        }, mostMs)
        const headers = { 'user-agent': 'lastcall', ...(host ? { host } : {}) }
        const request = httpRequest({ host: '127.0.0.1', port, path: url, headers }, (answer) => {
          /** @type {Buffer[]} */
          const chunks = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const passedOn = { ...answer.headers }
            for (const name of CONNECTION_HEADERS) delete passedOn[name]
            resolve({ status: answer.statusCode ?? 500, headers: passedOn, body: Buffer.concat(chunks), askedAt })
          })
        })
        request.on('close', () => clearTimeout(limit))
        request.on('error', reject).end()
      }),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
