import { serverState } from '../kernel/server-state.mjs'
import { isUpload } from './is-upload.mjs'
import { networkOfVisitor } from './network-of-visitor.mjs'
import { pathOf } from './path-of.mjs'
import { refuseOnSocket } from './refuse-on-socket.mjs'
import { watchBody } from './watch-body.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/** How much of the bodies of one network may be in memory before they are complete. Honest bodies arrive at once. */
const MOST_BYTES = 24 * 1024 * 1024
/** The same for all visitors whose network is not known. */
const MOST_UNKNOWN_BYTES = 64 * 1024 * 1024

/** @typedef {{ bytes: number, bodies: Map<IncomingMessage, { response: ServerResponse, bytes: number }> }} Unfinished */

/** @type {Map<string | null, Unfinished>} by network; the bodies begin with the oldest */
const unfinishedOf = new Map()

/**
 * Counts what has arrived of a body until it is complete. When the bodies of one network take too much memory, the
 * oldest of them is refused, because it is the slowest. Without this limit, one client could begin thousands of bodies,
 * leave out the last byte of each, and fill the memory. Uploads are not counted, because they are written to disk.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
export function limitUnfinishedBodies(request, response) {
  const { headers, method, url } = request
  const hasBody = Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  if (!hasBody || isUpload(method, pathOf(url))) return
  const network = networkOfVisitor(request, serverState().trustedProxyHops)
  watchBody(request, (chunk) => {
    if (chunk) count(network, { request, response }, chunk.length)
    else forget(network, request)
    return true
  })
  request.once('close', () => forget(network, request))
}

/**
 * @param {string | null} network
 * @param {{ request: IncomingMessage, response: ServerResponse }} exchange
 * @param {number} length
 */
function count(network, { request, response }, length) {
  const unfinished = unfinishedOf.get(network) ?? { bytes: 0, bodies: new Map() }
  unfinishedOf.set(network, unfinished)
  const body = unfinished.bodies.get(request) ?? { response, bytes: 0 }
  unfinished.bodies.set(request, body)
  body.bytes += length
  unfinished.bytes += length
  const most = network === null ? MOST_UNKNOWN_BYTES : MOST_BYTES
  for (const [oldest, { response: its }] of unfinished.bodies) {
    if (unfinished.bytes <= most) return
    forget(network, oldest)
    refuseOnSocket(oldest, its, '408 Request Timeout')
  }
}

/**
 * @param {string | null} network
 * @param {IncomingMessage} request
 */
function forget(network, request) {
  const unfinished = unfinishedOf.get(network)
  const body = unfinished?.bodies.get(request)
  if (!unfinished || !body) return
  unfinished.bytes -= body.bytes
  unfinished.bodies.delete(request)
  if (unfinished.bodies.size === 0) unfinishedOf.delete(network)
}
