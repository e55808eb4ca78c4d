// GET /api/drop/{identifier}/events streams the answers of GET /api/drop/{identifier}, which a browser without a stream
// polls ("the polled call"). It sends the current answer right away. It sends a new answer after Postgres has announced a
// change of the drop (ADR 0021), and when the drop starts (ADR 0054). However many browsers watch a drop, this process
// reads it once per change.
import { NETWORKS_PER_SITE, networkOf, siteOf } from '../kernel/network-address.mjs'
import { SERVER_TIME_HEADER } from '../kernel/response-headers.mjs'
import { addressOfRequest } from './address-of-request.mjs'
import { msUntilChange } from './ms-until-change.mjs'
import { pathOf } from './path-of.mjs'

/**
 * @import { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
 *
 * @typedef {{ status: number, headers: IncomingHttpHeaders, body: Buffer, storedAt?: number }} DropAnswer an answer of the
 *   polled call; `storedAt` is a time of `performance.now()`
 *
 * @typedef {{
 *   streams: Set<ServerResponse>,
 *   lastTag: string | undefined,
 *   timer: NodeJS.Timeout | null,
 * }} Channel the browsers that watch one drop; `lastTag` is the ETag of the last answer that was sent to all of them, or
 *   at first the ETag of the answer with which the channel began
 */

const EVENTS_PATH = /^(\/api\/drop\/)([^/?]{1,300})\/events$/
/** Browsers beyond this number poll, so they need no open connection. */
const MAX_STREAMS = 5_000
/** This limit allows many viewers behind one address, but no network can occupy all streams. */
const MAX_STREAMS_PER_NETWORK = 200
const HEARTBEAT_MS = 20_000
/** Changes within this time are sent as one event with the newest numbers. */
const DEBOUNCE_MS = 100
/** The wait before a drop that could not be read is read again. The change is announced only once, so it must not get lost. */
const RETRY_MS = 1_000
/**
 * The longest wait for the start of a drop. After this time the drop is read again, because a timer of Node cannot wait
 * for more than about 24 days.
 */
const MAX_WAIT_MS = 60 * 60 * 1_000
/**
 * The shortest wait before a drop is read again. An answer that is read at the start may have been made just before it.
 */
const MIN_WAIT_MS = 20
/** A browser with more unread data than this is disconnected. It then connects again or polls. */
const MAX_BACKLOG_BYTES = 64 * 1024
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
 *   read: (path: string) => Promise<DropAnswer>,
 *   maxStreams?: number,
 *   maxPerNetwork?: number,
 *   trustedProxyHops?: number,
 * }} options `read` answers the polled call, from the shared cache
 */
export function createLiveEvents({
  read: readDrop,
  maxStreams = MAX_STREAMS,
  maxPerNetwork = MAX_STREAMS_PER_NETWORK,
  trustedProxyHops = 0,
}) {
  /** @type {Map<string, Channel>} by the path of the polled call */
  const channels = new Map()
  const read = readAndAwaitStart(readDrop, (path) => void publish(path))
  const countNetwork = countByNetwork(maxPerNetwork, trustedProxyHops)
  let count = 0
  let isClosed = false
  const heartbeat = setInterval(() => {
    for (const { streams } of channels.values()) for (const stream of streams) write(stream, ': still here\n\n')
  }, HEARTBEAT_MS).unref()

  /**
   * @param {string} path
   * @param {ServerResponse} stream
   */
  function removeStream(path, stream) {
    const channel = channels.get(path)
    if (!channel?.streams.delete(stream)) return
    count -= 1
    if (channel.streams.size > 0) return
    if (channel.timer) clearTimeout(channel.timer)
    channels.delete(path)
  }

  /**
   * @param {string} path
   * @param {ServerResponse} stream
   * @param {DropAnswer} answer what the stream is sent first
   */
  function addStream(path, stream, answer) {
    /** @type {Channel} */
    const channel = channels.get(path) ?? { streams: new Set(), lastTag: answer.headers.etag, timer: null }
    channels.set(path, channel).get(path)?.streams.add(stream)
    stream.once('close', () => removeStream(path, stream))
  }

  /**
   * Reads the drop once and sends the answer to every browser that watches the drop. Sends nothing if the answer has
   * the same ETag as before, and ends the streams if the answer is not a 200. The browsers then poll, and learn why.
   * @param {string} path
   */
  async function publish(path) {
    const channel = channels.get(path)
    if (!channel) return
    channel.timer = null
    const answer = await read(path).catch(() => null)
    if (!answer) return void (channel.timer ??= setTimeout(() => void publish(path), RETRY_MS))
    if (answer.headers.etag === channel.lastTag) return
    if (answer.status !== 200) return channel.streams.forEach((stream) => stream.end())
    channel.lastTag = answer.headers.etag
    const event = toEvent(answer)
    for (const stream of channel.streams) write(stream, event)
  }

  /**
   * @param {ServerResponse} response
   * @param {string} path
   */
  async function open(response, path) {
    // The stream also counts while it waits for the answer, so that a crowd that arrives at the same moment cannot exceed
    // the limit.
    count += 1
    let answer
    try {
      answer = await read(path)
    } finally {
      count -= 1
    }
    if (isClosed || response.destroyed) return response.destroy()
    if (answer.status !== 200) return response.writeHead(answer.status, answer.headers).end(answer.body)
    count += 1
    addStream(path, response, answer)
    response.writeHead(200, HEADERS)
    // The delay is random, so that after a restart of the server its browsers do not all connect again at the same
    // moment.
    response.write(`retry: ${Math.round(2_000 + Math.random() * 4_000)}\n\n${toEvent(answer)}`)
  }

  const endAll = () => channels.forEach(({ streams }) => streams.forEach((stream) => stream.end()))

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
      if (isClosed || count >= maxStreams || !countNetwork(request, response)) {
        response.writeHead(503, { 'retry-after': '30', 'cache-control': 'no-store' }).end()
        return
      }
      open(response, path).catch(() => {
        if (!response.headersSent) response.writeHead(503, { 'retry-after': '5', 'cache-control': 'no-store' })
        response.end()
      })
    },
    /**
     * Has to be called when Postgres announces a change.
     * @param {string} path
     */
    changed: (path) => {
      const channel = channels.get(path)
      if (channel) channel.timer ??= setTimeout(() => void publish(path), DEBOUNCE_MS)
    },
    /**
     * Ends every stream. Has to be called when changes are no longer announced, and when the platform is paused or
     * resumed. The browsers then poll, and connect again later.
     */
    endAll,
    /** Ends every stream and refuses new ones. */
    close: () => {
      isClosed = true
      clearInterval(heartbeat)
      endAll()
    },
  }
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
 * Wraps `read` and calls `onStart` when a scheduled drop starts, or after MAX_WAIT_MS if the start is later. No row
 * changes at the start, so Postgres announces nothing. Each answer resets the timer of its drop, because the seller may
 * have moved the start.
 * @param {(path: string) => Promise<DropAnswer>} read
 * @param {(path: string) => void} onStart
 * @returns {(path: string) => Promise<DropAnswer>}
 */
function readAndAwaitStart(read, onStart) {
  /** @type {Map<string, NodeJS.Timeout>} by path */
  const timers = new Map()
  return async (path) => {
    const answer = await read(path)
    clearTimeout(timers.get(path))
    timers.delete(path)
    const { start } = msUntilChange(answer)
    if (start === null) return answer
    const now = performance.now()
    const waitMs = Math.max(MIN_WAIT_MS, start - (now - (answer.storedAt ?? now)))
    const timer = setTimeout(
      () => {
        timers.delete(path)
        onStart(path)
      },
      Math.min(MAX_WAIT_MS, waitMs),
    )
    timers.set(path, timer.unref())
    return answer
  }
}

/**
 * @param {ServerResponse} stream
 * @param {string} text
 */
function write(stream, text) {
  if (stream.writableLength > MAX_BACKLOG_BYTES) stream.destroy()
  else stream.write(text)
}

/**
 * Writes an answer as one event. The JSON of an answer has no line breaks, so it fits into one `data` line.
 * @param {DropAnswer} answer
 */
function toEvent({ body, headers }) {
  return `event: drop\nid: ${headers[SERVER_TIME_HEADER]}\ndata: ${body}\n\n`
}

/**
 * Counts the streams of each network, and for IPv6 also those of each customer, including streams that wait to be opened.
 * @param {number} maxPerNetwork
 * @param {number} trustedProxyHops
 * @returns {(request: IncomingMessage, response: ServerResponse) => boolean} counts a stream until it is closed; returns
 *   false, without counting, if the network or the customer has too many streams
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
