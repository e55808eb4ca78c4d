// GET /api/drop/{identifier}/events streams the answers of GET /api/drop/{identifier}, which a browser without a stream
// polls ("the polled call"). It sends the current answer right away. It sends a new answer after Postgres has announced
// a change of the drop (ADR 0021), and when the drop starts (ADR 0054). However many browsers watch a drop, this
// process reads it once per change.
import { NETWORKS_PER_SITE, networkOf, siteOf } from '../kernel/network-address.mjs'
import { addressOfRequest } from './address-of-request.mjs'
import { createChannels, toEvent } from './create-channels.mjs'
import { pathOf } from './path-of.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { DropAnswer } from './create-channels.mjs'
 */

const EVENTS_PATH = /^(\/api\/drop\/)([^/?]{1,300})\/events$/
/** Browsers beyond this number poll, so they need no open connection. */
const MAX_STREAMS = 5_000
/** This limit allows many viewers behind one address, but no network can occupy all streams. */
const MAX_STREAMS_PER_NETWORK = 200
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Proxies would otherwise collect several events before they pass them on.
  'x-accel-buffering': 'no',
}

/**
 * Creates the live streams of this process.
 * @param {{
 *   read: (path: string, request?: IncomingMessage) => Promise<DropAnswer>,
 *   maxStreams?: number,
 *   maxPerNetwork?: number,
 *   trustedProxyHops?: number,
 * }} options `read` answers the polled call, from the shared cache; `request` is that of the first
 *   browser that asked, whose network has only some of the places
 */
export function createLiveEvents({
  read,
  maxStreams = MAX_STREAMS,
  maxPerNetwork = MAX_STREAMS_PER_NETWORK,
  trustedProxyHops = 0,
}) {
  const channels = createChannels(read)
  const countNetwork = countByNetwork(maxPerNetwork, trustedProxyHops)
  let isClosed = false

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   * @param {string} path
   */
  async function open(request, response, path) {
    const { answer, hasChanged, isEnded } = await channels.readFirst(path, request)
    if (isClosed || response.destroyed) return response.destroy()
    if (answer.status !== 200) return response.writeHead(answer.status, answer.headers).end(answer.body)
    if (isEnded) return refuse(response, '5')
    channels.add(path, response, answer)
    if (hasChanged) channels.changed(path)
    response.writeHead(200, HEADERS)
    // The delay is random, so that after a restart of the server its browsers do not all connect again at the same
    // moment.
    response.write(`retry: ${Math.round(2_000 + Math.random() * 4_000)}\n\n${toEvent(answer)}`)
  }

  return {
    /**
     * Returns the path of the polled call if a request asks for its stream, otherwise undefined.
     * @param {IncomingMessage} request
     */
    pathOf: ({ method, url }) => (method === 'GET' ? polledPath(pathOf(url)) : undefined),
    /**
     * Opens a stream, or responds with 503 if there are too many streams.
     * @param {IncomingMessage} request
     * @param {ServerResponse} response
     * @param {string} path what `pathOf` returned for the request
     */
    handle: (request, response, path) => {
      // A stream also counts while it waits for its first answer, so that a crowd that arrives at the same moment
      // cannot exceed the limit.
      if (isClosed || channels.count() >= maxStreams || !countNetwork(request, response)) return refuse(response, '30')
      open(request, response, path).catch(() => {
        if (response.headersSent) response.end()
        else refuse(response, '5')
      })
    },
    /**
     * Has to be called when Postgres announces a change.
     * @param {string} path
     */
    changed: channels.changed,
    /**
     * Ends every stream. Has to be called when changes are no longer announced, and when the platform is paused or
     * resumed. The browsers then poll, and connect again later.
     */
    endAll: channels.endAll,
    /** Ends every stream and refuses new ones. */
    close: () => {
      isClosed = true
      channels.stop()
      channels.endAll()
    },
  }
}

/**
 * Refuses a stream, so that the browser polls.
 * @param {ServerResponse} response
 * @param {string} retryAfter in seconds
 */
function refuse(response, retryAfter) {
  response.writeHead(503, { 'retry-after': retryAfter, 'cache-control': 'no-store' }).end()
}

/**
 * Returns the path of the polled call. All spellings of a drop's name have one path, as in the shared cache. Otherwise
 * anyone could force a rendering with each spelling, and announced changes would not reach their streams.
 * @param {string} path
 * @returns {string | undefined}
 */
function polledPath(path) {
  const [, folder, name] = EVENTS_PATH.exec(path) ?? []
  if (!folder || !name) return undefined
  try {
    return folder + encodeURIComponent(decodeURIComponent(name).toLowerCase())
  } catch {
    return undefined
  }
}

/**
 * Counts the streams of each network, and for IPv6 also those of each customer, including streams that wait to be
 * opened.
 * @param {number} maxPerNetwork
 * @param {number} trustedProxyHops
 * @returns {(request: IncomingMessage, response: ServerResponse) => boolean} counts a stream until it is closed;
 *   returns false, without counting, if the network or the customer has too many streams
 */
function countByNetwork(maxPerNetwork, trustedProxyHops) {
  /** @type {Map<string, number>} */
  const streams = new Map()
  return (request, response) => {
    const address = addressOfRequest(request, trustedProxyHops)
    const [network, site] = [networkOf(address), siteOf(address)]
    const mostOf = new Map([
      [site, maxPerNetwork * NETWORKS_PER_SITE],
      [network, maxPerNetwork],
    ])
    for (const [key, most] of mostOf) if ((streams.get(key) ?? 0) >= most) return false
    for (const key of mostOf.keys()) streams.set(key, (streams.get(key) ?? 0) + 1)
    response.once('close', () => {
      for (const key of mostOf.keys()) {
        const left = (streams.get(key) ?? 1) - 1
        if (left > 0) streams.set(key, left)
        else streams.delete(key)
      }
    })
    return true
  }
}
