// The shared cache in front of Next. It keeps pages that are the same for everybody (ADR 0012): the drop page and its
// polled call, profiles, and the landing page of visitors (ADR 0019). However large the crowd on a link is, its page is
// rendered once a second; and when a drop changes, Postgres announces it and the cache forgets the drop at once.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { SERVER_TIME_HEADER, SHARED_CACHE_CONTROL } from '../kernel/response-headers.mjs'
import { SESSION_COOKIE } from '../kernel/session-cookie.mjs'
import { sharedCacheSize } from '../kernel/shared-cache-size.mjs'
import { createAnswerStore } from './create-answer-store.mjs'
import { createLiveEvents } from './create-live-events.mjs'
import { UNKNOWN_PAGE } from './find-common-page.mjs'
import { hashInlineScripts } from './hash-inline-scripts.mjs'
import { listenForChanges } from './listen-for-changes.mjs'
import { msUntilChange } from './ms-until-change.mjs'
import { pathOf } from './path-of.mjs'
import { cacheControlOf } from './receive-request.mjs'
import { startInnerServer } from './start-inner-server.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { WholeAnswer } from './start-inner-server.mjs'
 * @import { RequestHandler } from './start-web-server.mjs'
 *
 * @typedef {WholeAnswer & {
 *   storedAt: number,
 *   freshUntil: number,
 *   bytes: number,
 *   compressed: Map<string, Promise<Buffer>>,
 * }} CachedAnswer `compressed` by encoding, each made when first asked for; `bytes` is roughly what the entry takes in RAM;
 *   both times are those of `performance.now()`
 */

const CACHED_PATH = /^(\/(?:drop|api\/drop|profile|api\/profile\/public)\/)([^/?]+)$/
const DROP_CALL = /^\/api\/drop\/[^/?]+$/
const LANDING = '/'
/** For how long an answer is fresh at most. A change that Postgres does not announce is shown after this time. */
const FRESH_MS = 1_000
const MAX_BYTES = 64 * 1024 * 1024
const MAX_PATH = 300
/** What an answer takes besides its body: its headers and the entry itself. */
const EXTRA_BYTES = 4_096
const SWEEP_MS = 2_000
/** A page that is asked for again soon need not be compressed again when it is still the same. */
const STALE_MS = 5_000
/**
 * Cache-Control of the landing page and of pages like the login: no other cache can tell visitors from sellers, and after a
 * login the browser must not show the page of visitors again.
 */
const LANDING_CACHE_CONTROL = 'private, no-cache'

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)
/** Brotli's best takes a hundred times longer than this and saves a tenth more: too long for a page that lives a second. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** @type {Record<string, (body: Buffer) => Promise<Buffer>>} */
const ENCODINGS = { br: (body) => toBrotli(body, BROTLI), gzip: (body) => toGzip(body) }

/** How long the answers of a paused platform are kept: as long as the application itself keeps the platform's state. */
const PAUSED_FRESH_MS = 250

/**
 * @param {{
 *   handle: RequestHandler,
 *   databaseUrl: string,
 *   trustedProxyHops?: number,
 *   commonPage?: (request: IncomingMessage) => string | null,
 * }} options `handle` is Next's request handler; `commonPage` names the address whose answer is also right for a request
 * @returns {Promise<{ handle: RequestHandler, bytes: () => number, endStreams: () => void, close: () => Promise<void> }>}
 *   `handle` answers from memory where it may, and passes every other request on. `endStreams` ends the live streams, which
 *   have no end of their own: to be called before the server waits for requests under way.
 */
export async function startSharedCache({ handle, databaseUrl, trustedProxyHops = 0, commonPage = () => null }) {
  /** @type {import('./create-answer-store.mjs').AnswerStore<CachedAnswer>} by `cacheKey` */
  const answers = createAnswerStore({ maxBytes: MAX_BYTES })
  sharedCacheSize().bytes = answers.bytes
  /** @type {Map<string, Promise<CachedAnswer>>} what is being rendered */
  const flights = new Map()
  const inner = await startInnerServer(handle)
  const events = createLiveEvents({ read: (path) => answerOf(path), trustedProxyHops })
  const changes = await listenForChanges(databaseUrl, {
    onChange: (path) => {
      answers.forget(path)
      for (const key of flights.keys()) if (key.toLowerCase() === path) flights.delete(key)
      events.changed(path)
    },
    onAnyChange: () => {
      answers.clear()
      flights.clear()
      events.endAll()
    },
  })
  const sweep = setInterval(() => answers.dropStale(STALE_MS), SWEEP_MS)
  sweep.unref()

  /**
   * @param {string} key
   * @param {string} [host]
   * @returns {Promise<CachedAnswer>}
   */
  async function answerOf(key, host) {
    const known = answers.get(key)
    if (known) return known
    const underWay = flights.get(key)
    if (underWay) return underWay
    // When the path is forgotten meanwhile, this flight is not in the map any more, and its answer is not kept.
    const isCurrent = () => flights.get(key) === flight
    const flight = inner
      .fetch(key, host)
      .then((whole) => {
        const answer = toCachedAnswer(key, whole, answers.peek(key))
        if (isKept(key, answer) && isCurrent()) answers.set(key, answer)
        return answer
      })
      .finally(() => {
        if (isCurrent()) flights.delete(key)
      })
    flights.set(key, flight)
    return flight
  }

  /**
   * @param {string} url
   * @param {CachedAnswer} answer
   */
  function isKept(url, { status, headers }) {
    if (headers['set-cookie']) return false
    if (status === 200) return true
    // The page of a removed drop: should the drop come back, the change is announced.
    if (status === 410) return CACHED_PATH.test(pathOf(url))
    if (status === 404) return url === UNKNOWN_PAGE
    return status === 503 && changes.isPaused()
  }

  return {
    handle: (request, response) => {
      if (!changes.isListening()) return handle(request, response)
      // A paused platform answers administrators differently (ADR 0026), and the cache cannot tell who is one.
      if (changes.isPaused() && hasSession(request)) return handle(request, response)
      const streamed = changes.isPaused() ? null : events.pathOf(request)
      if (streamed) return events.handle(request, response, streamed)
      const key = cacheKey(request, commonPage)
      if (key === null) return handle(request, response)
      return answerOf(key, request.headers.host).then(
        (answer) => send(request, response, answer),
        () => handle(request, response),
      )
    },
    bytes: answers.bytes,
    endStreams: () => events.close(),
    close: async () => {
      clearInterval(sweep)
      events.close()
      await changes.close()
      await inner.close()
    },
  }
}

/**
 * The address under which a request's answer is kept, or null for a request that is passed on. Each page has one address
 * however it was spelled: none of these pages reads its query, so the query is left out, and the path is decoded and encoded
 * again. Otherwise whoever varies either of them would have the page rendered each time. Next's own requests for parts of a
 * page carry headers that change the answer, and are passed on.
 * @param {IncomingMessage} request
 * @param {(request: IncomingMessage) => string | null} commonPage
 * @returns {string | null}
 */
function cacheKey(request, commonPage) {
  const { method, url = LANDING, headers } = request
  if (method !== 'GET') return null
  if (headers.rsc || headers['next-action'] || headers['next-router-state-tree'] || headers.range) return null
  const path = pathOf(url)
  // For sellers the landing page is the dashboard.
  if (path === LANDING) return hasSession(request) ? null : LANDING
  const [, folder, name] = CACHED_PATH.exec(path) ?? []
  if (!folder || !name) return commonPage(request)
  if (path.length > MAX_PATH) return null
  try {
    return folder + encodeURIComponent(decodeURIComponent(name))
  } catch {
    return null
  }
}

/**
 * Whether the request has a session cookie. SESSION_COOKIE is a part of both names that the cookie may have.
 * @param {IncomingMessage} request
 */
const hasSession = ({ headers }) => headers.cookie?.includes(SESSION_COOKIE) ?? false

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
  // The page was rendered without the query, which everybody has their own of: a discount code, or where a visitor came from.
  if (headers.location && isRedirect(answer)) headers.location += queryOf(request)
  let { body } = answer
  const encoding = encodingFor(request)
  if (encoding) {
    let compressed = answer.compressed.get(encoding)
    if (!compressed) {
      compressed = (ENCODINGS[encoding] ?? toGzip)(body)
      answer.compressed.set(encoding, compressed)
    }
    body = await compressed
    headers['content-encoding'] = encoding
  }
  response.writeHead(answer.status, { ...headers, 'content-length': body.length }).end(body)
}

/** @param {CachedAnswer} answer */
const isRedirect = ({ status }) => status >= 300 && status < 400

/**
 * @param {IncomingMessage} request
 * @returns {string} the query with its question mark, or nothing
 */
function queryOf({ url = '' }) {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

/**
 * @param {IncomingMessage} request
 * @returns {string | null} the best encoding that the client takes; null for none
 */
function encodingFor({ headers }) {
  const accepted = String(headers['accept-encoding'] ?? '')
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : null
}

/**
 * @param {string} url
 * @param {WholeAnswer} answer
 * @param {CachedAnswer} [earlier] the answer before: where the bytes are the same, they are not compressed again
 * @returns {CachedAnswer}
 */
function toCachedAnswer(url, answer, earlier) {
  const { status } = answer
  const headers = { ...answer.headers }
  const body = hashInlineScripts(headers, answer.body)
  const isShared = CACHED_PATH.test(pathOf(url))
  if (status === 200) {
    headers['cache-control'] = isShared ? SHARED_CACHE_CONTROL : LANDING_CACHE_CONTROL
    headers.etag ??= `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`
  } else if (headers['cache-control']) {
    headers['cache-control'] = cacheControlOf(status, headers['cache-control'])
  }
  const isSame = earlier !== undefined && earlier.body.equals(body)
  const storedAt = performance.now()
  const freshMs = status === 503 ? PAUSED_FRESH_MS : Math.min(FRESH_MS, msItHolds(url, answer))
  const compressed = isSame ? earlier.compressed : new Map()
  const bytes = Math.ceil(body.length * 1.7) + EXTRA_BYTES
  return { status, headers, body, storedAt, freshUntil: storedAt + freshMs, bytes, compressed }
}

/**
 * How long it takes until the drop in this answer starts or ends, which nobody announces: from then on the answer is wrong.
 * The drop page may be kept beyond both, because it counts down by itself and asks this call when it has counted to zero.
 * @param {string} url
 * @param {WholeAnswer} answer
 * @returns {number} Infinity for every other answer, and for a drop that is over
 */
function msItHolds(url, answer) {
  if (answer.status !== 200 || !DROP_CALL.test(pathOf(url))) return Infinity
  const { start, end } = msUntilChange(answer)
  return start ?? end ?? Infinity
}

/**
 * @param {WholeAnswer} answer
 * @returns {number} the application's clock when it made the answer, in milliseconds; NaN when the answer does not say
 */
function serverTimeOf({ headers }) {
  return Date.parse(String(headers[SERVER_TIME_HEADER]))
}
