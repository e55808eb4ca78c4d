// The shared cache in front of Next, for what is the same for everybody (ADR 0012): the drop page and its poll, profiles, and
// the landing page of visitors (ADR 0019). A crowd on one link costs one rendering a second; a change of the drop is told
// by Postgres and forgets it at once.
import { createHash } from 'node:crypto'
import { createServer, request as httpRequest } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import pg from 'pg'
import { createLiveEvents } from './live-events.mjs'

const CACHED_PATH = /^\/(?:drop|api\/drop|profile|api\/profile\/public)\/[^/?]+$/
const DROP_CALL = /^\/api\/drop\/[^/?]+$/
const LANDING = '/'
/** Somebody with one of these may be a seller, for whom the landing page is the dashboard. */
const SESSION_COOKIE = /next-auth\.session-token/
// The backstop, for changes that Postgres says nothing of.
const FRESH_MS = 1_000
const MAX_PATHS = 2_000
const MAX_QUERIES = 20
const MAX_URL = 300
const RECONNECT_MS = 1_000
const CACHE_CONTROL = 'public, max-age=0, s-maxage=1, stale-while-revalidate=2'
/** No cache but this one knows who is a visitor, and after logging in the browser must not show the old page. */
const LANDING_CACHE_CONTROL = 'private, no-cache'
const OWN_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'content-encoding']

const compress = promisify(gzip)

/**
 * @param {{ handle: (request, response) => unknown, databaseUrl: string }} options
 * @returns {Promise<{ handle: (request, response) => unknown, endStreams: () => void, close: () => Promise<void> }>} a
 *   handler that answers from memory what it may, and passes on everything else
 */
export async function startSharedCache({ handle, databaseUrl }) {
  // By path, in lower case as the database names it; a link's query (utm_source …) may change the page.
  /** @type {Map<string, { answers: Map<string, object>, flights: Map<string, Promise<object>> }>} */
  const groups = new Map()
  const inner = await startInnerServer(handle)
  const events = createLiveEvents({ read: (path) => answerOf({ url: path, headers: {} }) })
  const changes = await listenForChanges(
    databaseUrl,
    (path) => {
      groups.delete(path)
      events.changed(path)
    },
    () => {
      groups.clear()
      events.endAll()
    },
  )

  function groupOf(path) {
    const known = groups.get(path) ?? { answers: new Map(), flights: new Map() }
    // Put at the end: the first one is the longest unused.
    groups.delete(path)
    groups.set(path, known)
    if (groups.size > MAX_PATHS) groups.delete(groups.keys().next().value)
    return known
  }

  async function answerOf(request) {
    const { url } = request
    const path = pathOf(url).toLowerCase()
    const group = groupOf(path)
    const known = group.answers.get(url)
    if (known && performance.now() < known.freshUntil) return known
    const underWay = group.flights.get(url)
    if (underWay) return underWay
    const flight = inner.fetch(request).finally(() => group.flights.delete(url))
    group.flights.set(url, flight)
    const answer = await flight
    // A group that was forgotten meanwhile is nobody's any more: its answers served those who asked before the change.
    if (answer.status === 200) {
      if (group.answers.size >= MAX_QUERIES) group.answers.clear()
      group.answers.set(url, answer)
    }
    return answer
  }

  return {
    handle: (request, response) => {
      // A paused platform answers by who is asking (ADR 0026), and memory knows nobody.
      if (!changes.isListening() || changes.isPaused()) return handle(request, response)
      const streamed = events.pathOf(request)
      if (streamed) return events.handle(request, response, streamed)
      if (!isCacheable(request)) return handle(request, response)
      return answerOf(request).then(
        (answer) => send(request, response, answer),
        () => handle(request, response),
      )
    },
    /** Streams never end by themselves: before the server waits for what is under way. */
    endStreams: () => events.close(),
    close: async () => {
      events.close()
      await changes.close()
      await inner.close()
    },
  }
}

const pathOf = (url) => url.split('?', 1)[0]

/** Next's own requests for parts of a page carry headers that change the answer. */
function isCacheable({ method, url, headers }) {
  if (method !== 'GET' || url.length > MAX_URL) return false
  const path = pathOf(url)
  const isLanding = path === LANDING && !SESSION_COOKIE.test(headers.cookie ?? '')
  if (!isLanding && !CACHED_PATH.test(path)) return false
  return !headers.rsc && !headers['next-action'] && !headers['next-router-state-tree'] && !headers.range
}

async function send(request, response, answer) {
  const headers = { ...answer.headers }
  // The time of the answer is the server's time now, not when it was rendered.
  if (headers['x-server-time']) {
    const ageMs = performance.now() - answer.storedAt
    headers['x-server-time'] = new Date(Date.parse(headers['x-server-time']) + ageMs).toISOString()
  }
  if (answer.status === 200 && request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, headers).end()
    return
  }
  let { body } = answer
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    answer.gzipped ??= compress(body)
    body = await answer.gzipped
    headers['content-encoding'] = 'gzip'
  }
  response.writeHead(answer.status, { ...headers, 'content-length': body.length }).end(body)
}

/** Next behind a port of its own, for whole answers as they would go out. Only this process talks to it. */
async function startInnerServer(handle) {
  const server = createServer(handle)
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address()
  return {
    fetch: ({ url, headers: { host } }) =>
      new Promise((resolve, reject) => {
        // Nothing else of whoever asked first: everybody gets this answer, and Next changes it for headers of its own. Without
        // any agent it would not wait for the tags of the head (STACK trap 4).
        const passed = { 'user-agent': 'lastcall', ...(host ? { host } : {}) }
        const inner = httpRequest({ host: '127.0.0.1', port, path: url, headers: passed }, (answer) => {
          const chunks = []
          answer.on('data', (chunk) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            try {
              resolve(toAnswer(url, answer, Buffer.concat(chunks)))
            } catch (error) {
              reject(error)
            }
          })
        })
        inner.on('error', reject).end()
      }),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

function toAnswer(url, answer, body) {
  const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !OWN_HEADERS.includes(name)))
  if (answer.statusCode === 200) {
    headers['cache-control'] = pathOf(url) === LANDING ? LANDING_CACHE_CONTROL : CACHE_CONTROL
    headers.etag ??= `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`
  }
  const storedAt = performance.now()
  const freshMs = Math.min(FRESH_MS, msUntilTheEnd(url, headers, body))
  return { status: answer.statusCode, headers, body, storedAt, freshUntil: storedAt + freshMs, gzipped: null }
}

/** What was said of a live drop is not true any more once it is over (DECISIONS 16); the page counts by itself. */
function msUntilTheEnd(url, headers, body) {
  const isDrop = DROP_CALL.test(pathOf(url)) && headers['content-type']?.startsWith('application/json')
  if (!isDrop) return Infinity
  const { endTime } = JSON.parse(body)
  const leftMs = Date.parse(endTime) - Date.parse(headers['x-server-time'])
  return leftMs > 0 ? leftMs : Infinity
}

/** Postgres names the drop or profile that changed, to every process (the triggers are in the migrations). */
async function listenForChanges(databaseUrl, purge, purgeAll) {
  let client = null
  let isClosed = false
  let isPaused = false
  let retry
  const connect = async () => {
    const next = new pg.Client({ connectionString: databaseUrl, application_name: 'lastcall-cache', keepAlive: true })
    const lost = () => {
      if (client === next) client = null
      // What changed meanwhile is unknown.
      purgeAll()
      if (!isClosed) retry = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS)
    }
    next.on('error', () => {})
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel === 'platform_changed') {
        isPaused = payload === 'false'
        return purgeAll()
      }
      if (channel === 'profile_changed') {
        purge(`/profile/${payload}`)
        purge(`/api/profile/public/${payload}`)
        return
      }
      for (const identifier of payload.toLowerCase().split(' ')) {
        purge(`/drop/${identifier}`)
        purge(`/api/drop/${identifier}`)
      }
    })
    try {
      await next.connect()
      await next.query('LISTEN drop_changed')
      await next.query('LISTEN profile_changed')
      await next.query('LISTEN platform_changed')
      const { rows } = await next.query('SELECT FROM "PlatformSettings" WHERE "id" = 1 AND NOT "isActive"')
      isPaused = rows.length > 0
    } catch (error) {
      lost()
      throw error
    }
    next.once('end', lost)
    client = next
  }
  await connect()
  return {
    /** Without word from the database nothing is answered from memory. */
    isListening: () => client !== null,
    isPaused: () => isPaused,
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
