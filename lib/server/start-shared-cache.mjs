// The shared cache in front of Next. It keeps pages that are the same for everybody (ADR 0012): the drop page and its
// polled call, profiles, and the landing page of visitors (ADR 0019). However large the crowd on a link is, its page is
// rendered once a second; and when a drop changes, Postgres announces it and the cache forgets the drop at once.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { SERVER_TIME_HEADER, SHARED_CACHE_CONTROL } from '../kernel/response-headers.mjs'
import { SESSION_COOKIE } from '../kernel/session-cookie.mjs'
import { createLiveEvents } from './create-live-events.mjs'
import { listenForChanges } from './listen-for-changes.mjs'
import { pathOf } from './path-of.mjs'
import { startInnerServer } from './start-inner-server.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { WholeAnswer } from './start-inner-server.mjs'
 * @import { RequestHandler } from './start-web-server.mjs'
 *
 * @typedef {WholeAnswer & {
 *   storedAt: number,
 *   freshUntil: number,
 *   gzipped: Promise<Buffer> | null,
 * }} CachedAnswer both times are those of `performance.now()`
 *
 * @typedef {{
 *   answers: Map<string, CachedAnswer>,
 *   flights: Map<string, Promise<CachedAnswer>>,
 * }} Group what is known of one path, by the whole address, because a query (utm_source, for example) may change the page;
 *   `flights` are being rendered
 */

const CACHED_PATH = /^\/(?:drop|api\/drop|profile|api\/profile\/public)\/[^/?]+$/
const DROP_CALL = /^\/api\/drop\/[^/?]+$/
const LANDING = '/'
/** The upper limit for changes that Postgres does not announce. */
const FRESH_MS = 1_000
const MAX_PATHS = 2_000
const MAX_QUERIES = 20
const MAX_URL = 300
/**
 * Cache-Control of the landing page: no other cache can tell visitors from sellers, and after a login the browser must not
 * show the page of visitors again.
 */
const LANDING_CACHE_CONTROL = 'private, no-cache'

const compress = promisify(gzip)

/**
 * @param {{ handle: RequestHandler, databaseUrl: string, trustedProxyHops?: number }} options `handle` is Next's request
 *   handler
 * @returns {Promise<{ handle: RequestHandler, endStreams: () => void, close: () => Promise<void> }>} `handle` answers from
 *   memory where it may, and passes every other request on. `endStreams` ends the live streams, which have no end of their
 *   own: to be called before the server waits for requests under way.
 */
export async function startSharedCache({ handle, databaseUrl, trustedProxyHops }) {
  /** @type {Map<string, Group>} by path, in lower case, as Postgres announces it */
  const groups = new Map()
  const inner = await startInnerServer(handle)
  const events = createLiveEvents({ read: (path) => answerOf(path), trustedProxyHops })
  const changes = await listenForChanges(databaseUrl, {
    onChange: (path) => {
      groups.delete(path)
      events.changed(path)
    },
    onAnyChange: () => {
      groups.clear()
      events.endAll()
    },
  })

  /** @param {string} path */
  function groupOf(path) {
    /** @type {Group} */
    const group = groups.get(path) ?? { answers: new Map(), flights: new Map() }
    // A map keeps the order of insertion: put in again at the end, the first group is the one unused for longest.
    groups.delete(path)
    groups.set(path, group)
    const oldest = groups.keys().next().value
    if (groups.size > MAX_PATHS && oldest !== undefined) groups.delete(oldest)
    return group
  }

  /**
   * @param {string} url
   * @param {string} [host]
   * @returns {Promise<CachedAnswer>}
   */
  async function answerOf(url, host) {
    const group = groupOf(pathOf(url).toLowerCase())
    const known = group.answers.get(url)
    if (known && performance.now() < known.freshUntil) return known
    const underWay = group.flights.get(url)
    if (underWay) return underWay
    const flight = inner
      .fetch(url, host)
      .then((answer) => toCachedAnswer(url, answer))
      .finally(() => group.flights.delete(url))
    group.flights.set(url, flight)
    const answer = await flight
    // When the path was forgotten meanwhile, this group is not in the map any more, and what is put into it serves nobody.
    if (answer.status === 200) {
      if (group.answers.size >= MAX_QUERIES) group.answers.clear()
      group.answers.set(url, answer)
    }
    return answer
  }

  return {
    handle: (request, response) => {
      // A paused platform answers administrators differently (ADR 0026), and the cache cannot tell who asks.
      if (!changes.isListening() || changes.isPaused()) return handle(request, response)
      const streamed = events.pathOf(request)
      if (streamed) return events.handle(request, response, streamed)
      if (!isCacheable(request)) return handle(request, response)
      return answerOf(request.url ?? LANDING, request.headers.host).then(
        (answer) => send(request, response, answer),
        () => handle(request, response),
      )
    },
    endStreams: () => events.close(),
    close: async () => {
      events.close()
      await changes.close()
      await inner.close()
    },
  }
}

/**
 * Next's own requests for parts of a page carry headers that change the answer.
 * @param {IncomingMessage} request
 */
function isCacheable({ method, url = LANDING, headers }) {
  if (method !== 'GET' || url.length > MAX_URL) return false
  const path = pathOf(url)
  // For sellers the landing page is the dashboard. The name is a part of both names that the cookie may have.
  const isLanding = path === LANDING && !headers.cookie?.includes(SESSION_COOKIE)
  if (!isLanding && !CACHED_PATH.test(path)) return false
  return !headers.rsc && !headers['next-action'] && !headers['next-router-state-tree'] && !headers.range
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {CachedAnswer} answer
 */
async function send(request, response, answer) {
  /** @type {import('node:http').OutgoingHttpHeaders} */
  const headers = { ...answer.headers }
  const renderedAt = serverTimeOf(answer)
  // Browsers count down against this time, so it has to be that of this answer and not of the rendering.
  if (!Number.isNaN(renderedAt)) {
    const ageMs = performance.now() - answer.storedAt
    headers[SERVER_TIME_HEADER] = new Date(renderedAt + ageMs).toISOString()
  }
  if (answer.status === 200 && request.headers['if-none-match'] === headers.etag) {
    response.writeHead(304, headers).end()
    return
  }
  let { body } = answer
  if (/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    answer.gzipped ??= compress(body)
    body = await answer.gzipped
    headers['content-encoding'] = 'gzip'
  }
  response.writeHead(answer.status, { ...headers, 'content-length': body.length }).end(body)
}

/**
 * @param {string} url
 * @param {WholeAnswer} answer
 * @returns {CachedAnswer}
 */
function toCachedAnswer(url, answer) {
  const { status, body } = answer
  const headers = { ...answer.headers }
  if (status === 200) {
    headers['cache-control'] = pathOf(url) === LANDING ? LANDING_CACHE_CONTROL : SHARED_CACHE_CONTROL
    headers.etag ??= `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`
  }
  const storedAt = performance.now()
  const freshMs = Math.min(FRESH_MS, msUntilTheEnd(url, answer))
  return { status, headers, body, storedAt, freshUntil: storedAt + freshMs, gzipped: null }
}

/**
 * How long it takes until the drop in this answer ends: from then on it may not be called live. The drop page need not be
 * rendered again for that, because it counts down by itself.
 * @param {string} url
 * @param {WholeAnswer} answer
 * @returns {number} Infinity for every other answer, and for a drop that is over
 */
function msUntilTheEnd(url, answer) {
  const isDrop = DROP_CALL.test(pathOf(url)) && answer.headers['content-type']?.startsWith('application/json')
  if (!isDrop) return Infinity
  /** @type {{ endTime: string }} */
  const { endTime } = JSON.parse(String(answer.body))
  const leftMs = Date.parse(endTime) - serverTimeOf(answer)
  return leftMs > 0 ? leftMs : Infinity
}

/**
 * @param {WholeAnswer} answer
 * @returns {number} the application's clock when it made the answer, in milliseconds; NaN when the answer does not say
 */
function serverTimeOf({ headers }) {
  return Date.parse(String(headers[SERVER_TIME_HEADER]))
}
