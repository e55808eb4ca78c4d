// GET /api/drop/{identifier}/events sends the answer of GET /api/drop/{identifier} as a server-sent event each time Postgres
// announces that the drop has changed (ADR 0021), and at the moment when it starts (ADR 0054). However many browsers watch a
// drop, this process reads it once per change. A browser whose stream is refused polls instead.
import { clientAddress, networkOf } from '../kernel/network-address.mjs'
import { SERVER_TIME_HEADER } from '../kernel/response-headers.mjs'
import { msUntilChange } from './ms-until-change.mjs'
import { pathOf } from './path-of.mjs'

/**
 * @import { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
 *
 * @typedef {{ status: number, headers: IncomingHttpHeaders, body: Buffer, storedAt?: number }} DropAnswer what the polled call
 *   answers; `storedAt` is a time of `performance.now()`
 *
 * @typedef {{
 *   streams: Set<ServerResponse>,
 *   lastTag: string | undefined,
 *   timer: NodeJS.Timeout | null,
 * }} Channel the browsers that watch one drop; `lastTag` is the ETag of the last answer they were sent
 */

const EVENTS_PATH = /^(\/api\/drop\/[^/?]+)\/events$/
/** Further browsers poll, which needs no connection that stays open. */
const MAX_STREAMS = 5_000
/** Enough for everybody behind one address who watches; nobody can take all streams alone. */
const MAX_STREAMS_PER_NETWORK = 200
const HEARTBEAT_MS = 20_000
/** Changes within this time become one event with the newest numbers. */
const DEBOUNCE_MS = 100
/** The longest wait for the start of a drop; then it is looked at again. A timer cannot wait for more than 24 days. */
const MAX_WAIT_MS = 60 * 60 * 1_000
/** The shortest: the answer that is asked for at the start may have been read a moment before it. */
const MIN_WAIT_MS = 20
/** A browser that has this much unread is cut off. It connects again, or polls. */
const MAX_BACKLOG_BYTES = 64 * 1024
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Proxies would otherwise collect several events before they pass them on.
  'x-accel-buffering': 'no',
}

/**
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
   * Reads the drop once and sends it to every browser that watches it, unless nothing that is shown has changed.
   * @param {string} path
   */
  async function publish(path) {
    const channel = channels.get(path)
    if (!channel) return
    channel.timer = null
    const answer = await read(path).catch(() => null)
    if (!answer || answer.headers.etag === channel.lastTag) return
    // The drop is gone, or cannot be read at the moment. The browsers poll, and that answer says which of the two it is.
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
    // The stream also counts while it waits for the answer, so that a crowd that arrives at once cannot exceed the limit.
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
    // The delay is random, so that after a restart of the server its browsers do not all connect again at the same moment.
    response.write(`retry: ${Math.round(2_000 + Math.random() * 4_000)}\n\n${toEvent(answer)}`)
  }

  function endAll() {
    for (const { streams } of channels.values()) for (const stream of streams) stream.end()
  }

  return {
    /**
     * The path of the polled call when a request asks for that call's stream, otherwise undefined.
     * @param {IncomingMessage} request
     */
    pathOf: ({ method, url }) => (method === 'GET' ? EVENTS_PATH.exec(pathOf(url))?.[1]?.toLowerCase() : undefined),
    /**
     * Opens a stream.
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
     * To be called when Postgres announces a change.
     * @param {string} path
     */
    changed: (path) => {
      const channel = channels.get(path)
      if (channel) channel.timer ??= setTimeout(() => void publish(path), DEBOUNCE_MS)
    },
    /**
     * Ends every stream, because changes are no longer announced or the platform is paused. The browsers poll, and connect
     * again later.
     */
    endAll,
    /** Ends every stream and opens no more. */
    close: () => {
      isClosed = true
      clearInterval(heartbeat)
      endAll()
    },
  }
}

/**
 * Reads drops with `read`, and calls `onStart` when one that was scheduled starts: no row changes then, so Postgres announces
 * nothing. Each answer sets the timer of its drop anew, because the seller may have moved the start.
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
 * The answer as one event. JSON has no line breaks of its own, so it fits into one `data` line.
 * @param {DropAnswer} answer
 */
function toEvent({ body, headers }) {
  return `event: drop\nid: ${headers[SERVER_TIME_HEADER]}\ndata: ${body}\n\n`
}

/**
 * Counts the streams of each network, including those that wait to be opened.
 * @param {number} maxPerNetwork
 * @param {number} trustedProxyHops
 * @returns {(request: IncomingMessage, response: ServerResponse) => boolean} counts a stream until it is closed, and says
 *   whether its network may have another one
 */
function countByNetwork(maxPerNetwork, trustedProxyHops) {
  /** @type {Map<string, number>} */
  const perNetwork = new Map()
  return (request, response) => {
    const forwarded = String(request.headers['x-forwarded-for'] ?? request.socket?.remoteAddress ?? '')
    const network = networkOf(clientAddress(forwarded, trustedProxyHops))
    const known = perNetwork.get(network) ?? 0
    if (known >= maxPerNetwork) return false
    perNetwork.set(network, known + 1)
    response.once('close', () => {
      const left = (perNetwork.get(network) ?? 1) - 1
      if (left > 0) perNetwork.set(network, left)
      else perNetwork.delete(network)
    })
    return true
  }
}
