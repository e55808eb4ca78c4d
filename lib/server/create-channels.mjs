// The browsers that watch drops (create-live-events.mjs), grouped by drop, and what they are sent.
import { SERVER_TIME_HEADER } from '../kernel/response-headers.mjs'
import { msUntilChange } from './ms-until-change.mjs'

/**
 * @import { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
 *
 * @typedef {{ status: number, headers: IncomingHttpHeaders, body: Buffer, storedAt?: number }} DropAnswer an answer of
 *   the polled call; `storedAt` is a time of `performance.now()`
 *
 * @typedef {{
 *   streams: Set<ServerResponse>,
 *   lastTag: string | undefined,
 *   timer: NodeJS.Timeout | null,
 * }} Channel the browsers that watch one drop; `lastTag` is the ETag of the last answer that was sent to all of them, or
 *   at first the ETag of the answer with which the channel began
 *
 * @typedef {{ path: string, hasChanged: boolean, isEnded: boolean }} Opening a stream whose first answer is being read;
 *   `hasChanged` is set when a change of the drop is announced meanwhile, which the answer may lack, and `isEnded` when
 *   changes are no longer announced
 */

const HEARTBEAT_MS = 20_000
/** Changes within this time are sent as one event with the newest numbers. */
const DEBOUNCE_MS = 100
/**
 * The wait before a drop that could not be read is read again. The change is announced only once, so it must not get
 * lost.
 */
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

/**
 * Creates the channels of this process. A channel exists while at least one browser watches its drop.
 * @param {(path: string, request?: IncomingMessage) => Promise<DropAnswer>} readDrop answers the polled call
 */
export function createChannels(readDrop) {
  /** @type {Map<string, Channel>} by the path of the polled call */
  const channels = new Map()
  const read = readAndAwaitStart(readDrop, (path) => void publish(path))
  const openings = createOpenings(read)
  let count = 0
  const heartbeat = setInterval(() => {
    for (const { streams } of channels.values()) for (const stream of streams) write(stream, ': still here\n\n')
  }, HEARTBEAT_MS).unref()

  /**
   * @param {string} path
   * @param {ServerResponse} stream
   */
  function remove(path, stream) {
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
   * @param {DropAnswer} answer what the caller sends to the stream first
   */
  function add(path, stream, answer) {
    /** @type {Channel} */
    const channel = channels.get(path) ?? { streams: new Set(), lastTag: answer.headers.etag, timer: null }
    channels.set(path, channel).get(path)?.streams.add(stream)
    // The others may have been sent a newer answer meanwhile, so the next one is sent to everyone.
    if (channel.lastTag !== answer.headers.etag) channel.lastTag = undefined
    count += 1
    stream.once('close', () => remove(path, stream))
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

  return {
    /** Reads the first answer of a stream. The drop is read again when it starts. */
    readFirst: openings.readFirst,
    add,
    /** Returns how many browsers watch drops or wait for their first answer. */
    count: () => count + openings.count(),
    /**
     * Sends the new answer of a drop to the browsers that watch it.
     * @param {string} path
     */
    changed: (path) => {
      openings.changed(path)
      const channel = channels.get(path)
      if (channel) channel.timer ??= setTimeout(() => void publish(path), DEBOUNCE_MS)
    },
    /** Ends every stream, also those that are being opened. */
    endAll: () => {
      openings.endAll()
      channels.forEach(({ streams }) => streams.forEach((stream) => stream.end()))
    },
    /** Stops the heartbeat. */
    stop: () => clearInterval(heartbeat),
  }
}

/**
 * Remembers the streams that are being opened, which no channel has yet. Otherwise the first viewer of a drop would not
 * learn of a change that is announced while the first answer is read.
 * @param {(path: string, request?: IncomingMessage) => Promise<DropAnswer>} read
 */
function createOpenings(read) {
  /** @type {Set<Opening>} */
  const opening = new Set()
  return {
    /**
     * @param {string} path
     * @param {IncomingMessage} request
     * @returns {Promise<{ answer: DropAnswer, hasChanged: boolean, isEnded: boolean }>}
     */
    readFirst: async (path, request) => {
      /** @type {Opening} */
      const one = { path, hasChanged: false, isEnded: false }
      opening.add(one)
      try {
        const answer = await read(path, request)
        return { answer, ...one }
      } finally {
        opening.delete(one)
      }
    },
    /** @param {string} path */
    changed: (path) => opening.forEach((one) => (one.hasChanged ||= one.path === path)),
    endAll: () => opening.forEach((one) => (one.isEnded = true)),
    count: () => opening.size,
  }
}

/**
 * Wraps `read` and calls `onStart` when a scheduled drop starts, or after MAX_WAIT_MS if the start is later. No row
 * changes at the start, so Postgres announces nothing. Each answer resets the timer of its drop, because the seller may
 * have moved the start.
 * @param {(path: string, request?: IncomingMessage) => Promise<DropAnswer>} read
 * @param {(path: string) => void} onStart
 * @returns {(path: string, request?: IncomingMessage) => Promise<DropAnswer>}
 */
function readAndAwaitStart(read, onStart) {
  /** @type {Map<string, NodeJS.Timeout>} by path */
  const timers = new Map()
  return async (path, request) => {
    const answer = await read(path, request)
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
export function toEvent({ body, headers }) {
  return `event: drop\nid: ${headers[SERVER_TIME_HEADER]}\ndata: ${body}\n\n`
}
