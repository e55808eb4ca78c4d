import { LARGE_BODY_BYTES, LARGE_BODY_PATH, SMALL_BODY_BYTES } from '../kernel/large-body-path.mjs'
import { serverState } from '../kernel/server-state.mjs'
import { SESSION_COOKIE } from '../kernel/session-cookie.mjs'
import { networkOfVisitor } from './network-of-visitor.mjs'
import { pathOf } from './path-of.mjs'
import { refuseOnSocket } from './refuse-on-socket.mjs'
import { sendRefusal } from './send-refusal.mjs'
import { watchBody } from './watch-body.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * How many larger bodies this process reads at the same time. Next keeps each of them in memory before any code of the
 * application runs, so together they take at most 56 MB.
 */
const LARGE_AT_ONCE = 8
/** How many of them one network may send, so that it leaves places for others. */
const LARGE_PER_NETWORK = 2
/** How long a body may take to arrive. A large one gets the time of lib/http/plain-forms/refusal-of-post.ts. */
const SMALL_MS = 30_000
const LARGE_MS = 2 * 60_000
/** After how many seconds a client for whose body no place was free may try again. */
const RETRY_SECONDS = 3

/** @type {(string | null)[]} the network of each large body that is being read, or null where it is not known */
const taken = []

/**
 * Next's middleware, which copies bodies into memory, runs for pages and for these calls (see `matcher` in
 * middleware.ts).
 */
const COPIED_CALL = /^\/api\/admin(?:\/|$)/

/**
 * Limits the body of a request whose body Next would copy into memory before the application can refuse it. Without
 * this limit, anyone could make the server keep 10 MB for eleven minutes with each connection.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @returns {boolean} false if the request has been refused here and must not be passed to Next
 */
export function limitPageBody(request, response) {
  const { headers } = request
  const announced = Number(headers['content-length'] ?? 0)
  const hasBody = announced > 0 || headers['transfer-encoding'] !== undefined
  const path = pathOf(request.url)
  if (!hasBody || (path.startsWith('/api/') && !COPIED_CALL.test(path))) return true
  const isLarge = announced > SMALL_BODY_BYTES
  if (announced > (mayBeLarge(headers, path) ? LARGE_BODY_BYTES : SMALL_BODY_BYTES)) {
    sendRefusal(response, 413, { code: 'BODY_TOO_LARGE', text: 'This request is too large.' })
    return false
  }
  if (isLarge && !takePlace(request, response)) {
    response.setHeader('Retry-After', String(RETRY_SECONDS))
    sendRefusal(response, 503, { code: 'BUSY', text: "We're very busy right now. Please try again in a few seconds." })
    return false
  }
  // A body without an announced length is always a small one, so that it needs no place.
  const most = isLarge ? { bytes: LARGE_BODY_BYTES, ms: LARGE_MS } : { bytes: SMALL_BODY_BYTES, ms: SMALL_MS }
  limitArrival(request, response, most)
  return true
}

/**
 * Whether a request may have a large body. Here the cookie may be made up. The middleware checks the session before it
 * reads the body.
 * @param {IncomingMessage['headers']} headers
 * @param {string} path
 */
function mayBeLarge(headers, path) {
  if (path !== LARGE_BODY_PATH || headers['next-action'] === undefined) return false
  return headers.cookie?.includes(`${SESSION_COOKIE}=`) ?? false
}

/**
 * Takes one of the places for large bodies until the response has ended.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @returns {boolean} false when no place is free for this request
 */
function takePlace(request, response) {
  const network = networkOfVisitor(request, serverState().trustedProxyHops)
  const own = network === null ? 0 : taken.filter((other) => other === network).length
  if (taken.length >= LARGE_AT_ONCE || own >= LARGE_PER_NETWORK) return false
  taken.push(network)
  response.once('close', () => taken.splice(taken.indexOf(network), 1))
  return true
}

/**
 * Ends the connection when the body is larger, or arrives more slowly, than it may, before Next has copied it.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {{ bytes: number, ms: number }} most
 */
function limitArrival(request, response, most) {
  let bytes = 0
  watchBody(request, (chunk) => {
    bytes += chunk?.length ?? 0
    if (bytes <= most.bytes) return true
    refuseOnSocket(request, response, '413 Payload Too Large')
    return false
  })
  const tooLong = setTimeout(() => {
    if (!request.complete) refuseOnSocket(request, response, '408 Request Timeout')
  }, most.ms).unref()
  const settle = () => clearTimeout(tooLong)
  request.once('close', settle)
  response.once('close', settle)
}
