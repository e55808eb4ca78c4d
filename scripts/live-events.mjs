// GET /api/drop/{identifier}/events: what GET /api/drop/{identifier} says, pushed each time Postgres names the drop as changed
// (ADR 0021). One reading per change and process, however many look on; what cannot be held is polled.
const EVENTS_PATH = /^(\/api\/drop\/[^/?]+)\/events$/
/** Beyond this a browser polls, which costs no open connection. */
const MAX_STREAMS = 5_000
const HEARTBEAT_MS = 20_000
/** A drop that sells twice in this time is told once, with the newest numbers. */
const GATHER_MS = 100
/** A reader that has stopped reading: it comes back, or polls. */
const MAX_BACKLOG_BYTES = 64 * 1024
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Proxies would wait for more before they pass on a little.
  'x-accel-buffering': 'no',
}

/**
 * @param {{
 *   read: (path: string) => Promise<{ status: number, headers: Record<string, string>, body: Buffer }>,
 *   maxStreams?: number,
 * }} options `read` answers for the polled call, from the shared cache
 */
export function createLiveEvents({ read, maxStreams = MAX_STREAMS }) {
  /** @type {Map<string, { streams: Set<import('node:http').ServerResponse>, lastTag: string, timer: NodeJS.Timeout | null }>} */
  const channels = new Map()
  let count = 0
  let isClosed = false
  const heartbeat = setInterval(() => {
    for (const { streams } of channels.values()) for (const stream of streams) write(stream, ': still here\n\n')
  }, HEARTBEAT_MS)
  heartbeat.unref()

  function leave(path, stream) {
    const channel = channels.get(path)
    if (!channel?.streams.delete(stream)) return
    count -= 1
    if (channel.streams.size > 0) return
    clearTimeout(channel.timer)
    channels.delete(path)
  }

  function join(path, stream, answer) {
    const channel = channels.get(path) ?? { streams: new Set(), lastTag: answer.headers.etag, timer: null }
    channels.set(path, channel)
    channel.streams.add(stream)
    stream.once('close', () => leave(path, stream))
  }

  /** Reads the drop once and tells everybody who looks at it, unless nothing that is shown has changed. */
  async function tell(path) {
    const channel = channels.get(path)
    if (!channel) return
    channel.timer = null
    const answer = await read(path).catch(() => null)
    if (!answer || answer.headers.etag === channel.lastTag) return
    // Gone, or not to be had just now: the poll finds out which.
    if (answer.status !== 200) return channel.streams.forEach((stream) => stream.end())
    channel.lastTag = answer.headers.etag
    const event = toEvent(answer)
    for (const stream of channel.streams) write(stream, event)
  }

  async function open(request, response, path) {
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
    join(path, response, answer)
    response.writeHead(200, HEADERS)
    // Spread out, so that a crowd does not come back in one moment when a server went away.
    response.write(`retry: ${Math.round(2_000 + Math.random() * 4_000)}\n\n${toEvent(answer)}`)
  }

  return {
    /** The polled call's path when this is a request for its stream. */
    pathOf: ({ method, url }) =>
      method === 'GET' ? EVENTS_PATH.exec(url.split('?', 1)[0])?.[1]?.toLowerCase() : undefined,
    handle: (request, response, path) => {
      if (isClosed || count >= maxStreams) {
        response.writeHead(503, { 'retry-after': '30', 'cache-control': 'no-store' }).end()
        return
      }
      open(request, response, path).catch(() => {
        if (!response.headersSent) response.writeHead(503, { 'retry-after': '5', 'cache-control': 'no-store' })
        response.end()
      })
    },
    /** Postgres named it as changed. */
    changed: (path) => {
      const channel = channels.get(path)
      if (channel) channel.timer ??= setTimeout(() => void tell(path), GATHER_MS)
    },
    /** Nothing is known any more, or nobody may look: browsers poll, and come back later. */
    endAll,
    close: () => {
      isClosed = true
      clearInterval(heartbeat)
      endAll()
    },
  }

  function endAll() {
    for (const { streams } of channels.values()) for (const stream of streams) stream.end()
  }
}

function write(stream, text) {
  if (stream.writableLength > MAX_BACKLOG_BYTES) return stream.destroy()
  stream.write(text)
}

/** JSON has no line breaks of its own, so it is one line of the stream. */
function toEvent({ body, headers }) {
  return `event: drop\nid: ${headers['x-server-time']}\ndata: ${body}\n\n`
}
