import { createServer, request as httpRequest } from 'node:http'

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 * @import { RequestHandler } from './start-web-server.mjs'
 *
 * @typedef {{ status: number, headers: IncomingHttpHeaders, body: Buffer }} WholeAnswer
 */

/** Headers of one connection or one transfer. The server that passes the answer on writes its own. */
const CONNECTION_HEADERS = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'date',
  'content-encoding',
]

/**
 * Serves Next on a port of its own on loopback, so that the shared cache can fetch complete answers. Only this process uses
 * the port.
 * @param {RequestHandler} handle Next's request handler
 */
export async function startInnerServer(handle) {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', () => resolve(undefined)))
  const { port } = /** @type {AddressInfo} */ (server.address())
  return {
    /**
     * The answer to a GET request that carries none of the visitor's headers but `host`, because everybody gets this answer
     * and Next varies it by some headers. A user agent has to be named, because Next would otherwise stream the tags of
     * <head> after the head.
     * @param {string} url
     * @param {string | undefined} host
     * @returns {Promise<WholeAnswer>}
     */
    fetch: (url, host) =>
      new Promise((resolve, reject) => {
        const headers = { 'user-agent': 'lastcall', ...(host ? { host } : {}) }
        const request = httpRequest({ host: '127.0.0.1', port, path: url, headers }, (answer) => {
          /** @type {Buffer[]} */
          const chunks = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const passedOn = { ...answer.headers }
            for (const name of CONNECTION_HEADERS) delete passedOn[name]
            resolve({ status: answer.statusCode ?? 500, headers: passedOn, body: Buffer.concat(chunks) })
          })
        })
        request.on('error', reject).end()
      }),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
