// Prepares requests for Next and corrects Next's responses. Our own server uses it (start-web-server.mjs), and
// guard-servers.mjs applies it to any other server.
import { CONTENT_BYTES_HEADER, PERSONAL_CACHE_CONTROL, SHARED_CACHE_CONTROL } from '../kernel/response-headers.mjs'
import { drainRequest } from './drain-request.mjs'
import { explainMethodNotAllowed } from './explain-method-not-allowed.mjs'
import { isFilePath } from './is-file-path.mjs'
import { isRouterRequest } from './is-router-request.mjs'
import { limitPageBody } from './limit-page-body.mjs'
import { limitUnfinishedBodies } from './limit-unfinished-bodies.mjs'
import { pathOf } from './path-of.mjs'
import { acceptsForm, answersEveryMethod } from './posted-paths.mjs'
import { sendRefusal } from './send-refusal.mjs'

/** @import { IncomingMessage, Server, ServerResponse } from 'node:http' */

/** The time limit for a request. Node's default of 300 s would end an upload that may take ten minutes. */
const REQUEST_MS = 11 * 60_000
/** The time limit for headers. A client that sends headers slowly must not hold a connection as long as an upload. */
const HEADERS_MS = 20_000
/** Requests with other methods must not reach Next, because the Request object that Next builds throws for TRACE. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The methods with which only calls of the API are made. */
const WRITES = new Set(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The header with which Next's own scripts ask for only the changed parts of a page. */
const ROUTER_STATE = 'next-router-state-tree'

/**
 * Makes a request safe for Next, and adds what Next leaves out of its responses.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @returns {boolean} false if the request has been answered here and must not be passed to Next
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
  request.url = plainUrl(request.url)
  if (isWriteToFile(request)) {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    return false
  }
  if (isWriteToPage(request)) {
    response.writeHead(405, { Allow: acceptsForm(pathOf(request.url)) ? 'GET, HEAD, POST' : 'GET, HEAD' }).end()
    return false
  }
  if (isPostToPage(request)) {
    drainRequest(request, response)
    response.setHeader('Allow', 'GET, HEAD')
    sendRefusal(response, 405, { code: 'METHOD_NOT_ALLOWED', text: 'This page does not accept POST.' })
    return false
  }
  if (!isRouterState(request.headers[ROUTER_STATE])) delete request.headers[ROUTER_STATE]
  drainRequest(request, response)
  explainMethodNotAllowed(request, response)
  // Responses to POST calls of the API usually have only a few hundred bytes. Compressing the response to a purchase
  // would take more processor time than the SQL statements of the purchase.
  if (request.method === 'POST' && request.url.startsWith('/api/')) delete request.headers['accept-encoding']
  correctHeaders(request, response)
  // The last entry is the only one that a client cannot forge. lib/http/client-ip.ts counts from the end.
  const forwarded = [request.headers['x-forwarded-for'], request.socket.remoteAddress]
  request.headers['x-forwarded-for'] = forwarded.filter(Boolean).join(', ')
  limitUnfinishedBodies(request, response)
  return limitPageBody(request, response)
}

/**
 * Answers a request whose target is not a path. `OPTIONS *` asks what the server as a whole can do. Any other such
 * target is meant for a proxy and is refused here, because Next would answer with a 500.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function answerWithoutPath({ method, url }, response) {
  if (method === 'OPTIONS' && url === '*') response.writeHead(204, { Allow: [...METHODS].join(', ') }).end()
  else response.writeHead(400, { Connection: 'close' }).end()
}

/**
 * Whether a request writes to the path of a file. The middleware refuses calls of server actions that Next cannot read,
 * but it does not see requests for files. Next would answer such a call with a 500.
 * @param {IncomingMessage} request
 */
function isWriteToFile({ method, url, headers }) {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  const path = pathOf(url)
  if (isFilePath(path)) return true
  const isAction = headers['next-action'] !== undefined || /^multipart\//i.test(headers['content-type'] ?? '')
  return isAction && path.startsWith('/_next/')
}

/**
 * Whether a request has a method that no page accepts. Next would render the page for it, outside of the shared cache
 * and its queues.
 * @param {IncomingMessage} request
 */
function isWriteToPage({ method, url }) {
  return WRITES.has(method ?? '') && !answersEveryMethod(pathOf(url))
}

/**
 * Whether a request posts to a page that has no form for it. Next would render the page for it, outside of the shared
 * cache. The calls of server actions are posted to all pages.
 * @param {IncomingMessage} request
 */
function isPostToPage({ method, url, headers }) {
  return method === 'POST' && headers['next-action'] === undefined && !acceptsForm(pathOf(url))
}

/**
 * Sets how long a server waits for a request and for its headers.
 * @param {Pick<Server, 'requestTimeout' | 'headersTimeout'>} server
 */
export function limitTimes(server) {
  server.requestTimeout = REQUEST_MS
  server.headersTimeout = HEADERS_MS
}

/**
 * Sets the Content-Length of a streamed response, so that a browser can show the progress of a download. Next removes
 * that header, so the application sends the length in another one (lib/http/responses.ts). Also keeps everything but
 * whole pages out of shared caches, because the middleware allows shared caching before it is known what a page
 * answers.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
function correctHeaders(request, response) {
  const { writeHead } = response
  const isPart = isRouterRequest(request)
  response.writeHead = (/** @type {[number, ...unknown[]]} */ ...rest) => {
    const bytes = response.getHeader(CONTENT_BYTES_HEADER)
    response.removeHeader(CONTENT_BYTES_HEADER)
    if (bytes !== undefined && !response.hasHeader('content-encoding')) response.setHeader('Content-Length', bytes)
    if (response.hasHeader('cache-control')) {
      const wanted = String(response.getHeader('cache-control'))
      response.setHeader('Cache-Control', cacheControlOf(rest[0], wanted, isPart))
    }
    return Reflect.apply(writeHead, response, rest)
  }
}

/**
 * @param {number} status
 * @param {string} wanted
 * @param {boolean} [isPart] whether the response is for Next's own scripts. A shared cache that ignores `Vary` would show
 *   it to the next visitor in place of the page. It would do the same with a redirect of such a request.
 * @returns {string} the Cache-Control that a response with this status may have
 */
export function cacheControlOf(status, wanted, isPart = false) {
  const isWhole = !isPart && (status < 300 || status === 304)
  return !isWhole && wanted === SHARED_CACHE_CONTROL ? PERSONAL_CACHE_CONTROL : wanted
}

/**
 * Whether Next can read a router state. Next responds to an unreadable one with a 500. Without the header, Next sends
 * the whole page.
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

/** Matches a path with a segment of one or two dots. A backslash separates segments, too, and dots may be encoded. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i

/**
 * Replaces a URL with broken percent-encoding by a path that gets a 404, because Next would respond with a 500. A 404
 * is right, because no page or file has a URL that cannot be decoded. A path with dot segments is replaced, too, and so
 * is a URL with a fragment. No browser sends them. Next would resolve the segments and remove the fragment, and would
 * render a page whose path the limits of this server have not seen (ADR 0075).
 * @param {string} url
 */
function plainUrl(url) {
  const path = pathOf(url)
  try {
    decodeURIComponent(path)
    if (!DOT_SEGMENT.test(path) && !url.includes('#')) return url
  } catch {
    // It cannot be decoded.
  }
  return url.startsWith('/api/') ? '/api/not-found' : '/not-found'
}
