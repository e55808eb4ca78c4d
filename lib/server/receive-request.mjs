// What every request and answer needs around Next's own handling, whichever server received the request.
import { CONTENT_BYTES_HEADER, PERSONAL_CACHE_CONTROL, SHARED_CACHE_CONTROL } from '../kernel/response-headers.mjs'
import { drainRequest } from './drain-request.mjs'
import { explainMethodNotAllowed } from './explain-method-not-allowed.mjs'
import { pathOf } from './path-of.mjs'

/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */

/** Node's default of 300 s would end an upload that may take ten minutes. */
const REQUEST_MS = 11 * 60_000
/** Clients that send their headers slowly may not hold a connection for as long as an upload may. */
const HEADERS_MS = 20_000
/** Next builds a Request object for any other method, and that throws for TRACE. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What Next's own scripts send to get only the changed parts of a page. */
const ROUTER_STATE = 'next-router-state-tree'

/** The files that the matcher of middleware.ts leaves out. */
const FILE_PATH = /^\/(?:media\/|icons\/|[^/]+\.(?:svg|png|ico|js|webmanifest)$)/

/**
 * Makes a request safe for Next, and repairs what Next leaves out of its answers.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @returns {boolean} false when the request has been answered here and Next must not see it
 */
export function receiveRequest(request, response) {
  if (!METHODS.has(request.method ?? '')) {
    response.writeHead(405).end()
    return false
  }
  if (!request.url?.startsWith('/')) {
    answerWithoutPath(request, response)
    return false
  }
  if (isWriteToFile(request)) {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    return false
  }
  request.url = decodableUrl(request.url)
  if (!isRouterState(request.headers[ROUTER_STATE])) delete request.headers[ROUTER_STATE]
  drainRequest(request, response)
  explainMethodNotAllowed(request, response)
  // Answers to calls that write are a few hundred bytes. Next would compress each of them, which costs a purchase more
  // processor time than its statements.
  if (request.method === 'POST' && request.url.startsWith('/api/')) delete request.headers['accept-encoding']
  correctHeaders(response)
  // The last entry is the only one that a client cannot forge; lib/http/client-ip.ts counts from there.
  const forwarded = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
  request.headers['x-forwarded-for'] = forwarded.filter(Boolean).join(', ')
  return true
}

/**
 * `OPTIONS *` asks what the server as a whole can do. Any other target without a path belongs to a proxy, and Next answers
 * it with a 500.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function answerWithoutPath({ method, url }, response) {
  if (method === 'OPTIONS' && url === '*') response.writeHead(204, { Allow: [...METHODS].join(', ') }).end()
  else response.writeHead(400, { Connection: 'close' }).end()
}

/**
 * Whether a request writes to a file. The middleware, which refuses unreadable calls of server actions, does not see the
 * addresses of files, and Next answers such a call with a 500.
 * @param {IncomingMessage} request
 */
function isWriteToFile({ method, url, headers }) {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  const path = pathOf(url)
  if (FILE_PATH.test(path)) return true
  const isAction = headers['next-action'] !== undefined || /^multipart\//i.test(headers['content-type'] ?? '')
  return isAction && path.startsWith('/_next/')
}

/**
 * @param {Pick<Server, 'requestTimeout' | 'headersTimeout'>} server
 */
export function limitTimes(server) {
  server.requestTimeout = REQUEST_MS
  server.headersTimeout = HEADERS_MS
}

/**
 * Sets the Content-Length of a streamed answer. Next drops it, and without it a browser cannot show how far a download is;
 * so the application sends the length in a header of its own (lib/http/responses.ts). It also keeps errors out of shared
 * caches, because the middleware allows shared caching before a page's status is known.
 * @param {ServerResponse} response
 */
function correctHeaders(response) {
  const { writeHead } = response
  response.writeHead = (/** @type {[number, ...unknown[]]} */ ...rest) => {
    const bytes = response.getHeader(CONTENT_BYTES_HEADER)
    response.removeHeader(CONTENT_BYTES_HEADER)
    if (bytes !== undefined && !response.hasHeader('content-encoding')) response.setHeader('Content-Length', bytes)
    if (response.hasHeader('cache-control')) {
      response.setHeader('Cache-Control', cacheControlOf(rest[0], String(response.getHeader('cache-control'))))
    }
    return Reflect.apply(writeHead, response, rest)
  }
}

/**
 * @param {number} status
 * @param {string} wanted
 * @returns {string} the Cache-Control that an answer with this status may have
 */
export function cacheControlOf(status, wanted) {
  return status >= 400 && wanted === SHARED_CACHE_CONTROL ? PERSONAL_CACHE_CONTROL : wanted
}

/**
 * Next answers 500 to a router state that it cannot read. Without the header it sends the whole page.
 * @param {string | string[] | undefined} state
 */
function isRouterState(state) {
  if (state === undefined) return true
  try {
    return Array.isArray(JSON.parse(decodeURIComponent(String(state))))
  } catch {
    return false
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
