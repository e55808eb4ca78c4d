// The shared cache in front of Next. It keeps answers that are the same for everyone (ADR 0012): the pages of drops and
// GET /api/drop/{identifier}, which they poll; profiles; the landing page of visitors (ADR 0019); and the pages of
// find-common-page.mjs. However many people open a page, it is rendered about once a second. After a change it is
// rendered again, but never twice at the same time, and only after a rest (create-render-pace.mjs). When a drop or a
// profile changes, Postgres announces the change, and the cache removes its answers right away.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isEarlyToken } from '../kernel/is-early-token.mjs'
import { SESSION_COOKIE } from '../kernel/session-cookie.mjs'
import { sharedCacheSize } from '../kernel/shared-cache-size.mjs'
import { acceptsEncoding } from './accepts-encoding.mjs'
import { API_PAGE, CACHED_PATH, DROP_PAGE, LANDING } from './cached-paths.mjs'
import { createAnswerStore } from './create-answer-store.mjs'
import { createLiveEvents } from './create-live-events.mjs'
import { isBusy, sendBusy } from './create-render-queue.mjs'
import { createRenderings } from './create-renderings.mjs'
import { UNKNOWN_PAGE } from './find-common-page.mjs'
import { handlePagesInTurn } from './handle-pages-in-turn.mjs'
import { isRouterRequest } from './is-router-request.mjs'
import { listenForChanges } from './listen-for-changes.mjs'
import { pathOf } from './path-of.mjs'
import { readyAnswer, sendReady } from './ready-answer.mjs'
import { startInnerServer } from './start-inner-server.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { ReadyAnswer } from './ready-answer.mjs'
 * @import { RequestHandler } from './start-web-server.mjs'
 * @import { CachedAnswer } from './to-cached-answer.mjs'
 */

const MAX_BYTES = 64 * 1024 * 1024
const MAX_PATH = 300
const SWEEP_MS = 2_000
/**
 * How long a stale answer is kept. If its page is rendered again with the same content, it is not compressed again. For
 * a page that shows no drop and no person, requests get the stale answer while the page is rendered again.
 */
const STALE_MS = 5_000
const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)
/**
 * Brotli's best quality saves only a tenth more. It takes a hundred times longer, too long for a page that lasts a
 * second.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** @type {Record<string, (body: Buffer) => Promise<Buffer>>} */
const ENCODINGS = { br: (body) => toBrotli(body, BROTLI), gzip: (body) => toGzip(body) }

/**
 * Starts the shared cache, its listener for changes and its live streams.
 * @param {{
 *   handle: RequestHandler,
 *   databaseUrl: string,
 *   trustedProxyHops?: number,
 *   commonPage?: (request: IncomingMessage) => string | null,
 *   mostMs?: number,
 *   freshMs?: number,
 * }} options `handle` is Next's request handler; `commonPage` returns the URL whose answer is also right for a request;
 *   `mostMs` is how long a rendering may take, and `freshMs` how long its answer is fresh at most
 * @returns {Promise<{
 *   handle: RequestHandler, answerAtOnce: (request: IncomingMessage, response: ServerResponse) => boolean, bytes: () => number,
 *   endStreams: () => void, close: () => Promise<void>,
 * }>}
 *   `handle` answers requests for shared pages from memory, after it has rendered them if necessary, opens live streams,
 *   and passes every other request to Next. `answerAtOnce` answers a plain request whose answer is in memory, fresh and
 *   ready to send, before anything else is done with the request, and returns whether it did. `endStreams` ends the live
 *   streams. It has to be called before the server waits for open requests, because the streams do not end by themselves.
 */
export async function startSharedCache({ handle, databaseUrl, trustedProxyHops = 0, commonPage = () => null, ...ms }) {
  /** @type {import('./create-answer-store.mjs').AnswerStore<CachedAnswer>} by `cacheKey` */
  const answers = createAnswerStore({ maxBytes: MAX_BYTES })
  sharedCacheSize().bytes = answers.bytes
  const inTurn = handlePagesInTurn(handle, trustedProxyHops)
  const inner = await startInnerServer(handle)
  const renderings = createRenderings({
    answers,
    fetch: inner.fetch,
    mayKeep: (key, answer) => isKept(key, answer, changes.isPaused()),
    trustedProxyHops,
    ...ms,
  })
  const events = createLiveEvents({ read: answerOf, trustedProxyHops })
  const changes = await listenForChanges(databaseUrl, {
    onChange: (path) => {
      answers.forget(path)
      renderings.changed(path)
      events.changed(path)
    },
    onAnyChange: () => {
      answers.clear()
      renderings.allChanged()
      events.endAll()
    },
  })
  const sweep = setInterval(() => answers.dropStale(STALE_MS), SWEEP_MS).unref()

  /**
   * @param {string} key
   * @param {IncomingMessage} [request] is missing when no visitor has asked for the page
   * @returns {Promise<CachedAnswer>}
   */
  async function answerOf(key, request) {
    const known = answers.get(key)
    if (known) return known
    const stale = showsNoRow(key) ? answers.peek(key) : undefined
    const underWay = renderings.render(key, request)
    if (!stale || stale.status === 503) return underWay
    // The next request renders again if this rendering fails.
    underWay.catch(() => {})
    return stale
  }

  return {
    handle: (request, response) => {
      if (!changes.isListening()) return handle(request, response)
      // A paused platform answers administrators differently (ADR 0026), and the cache cannot recognize them.
      if (changes.isPaused() && hasSession(request)) return handle(request, response)
      const streamed = changes.isPaused() ? null : events.pathOf(request)
      if (streamed) return events.handle(request, response, streamed)
      const key = cacheKey(request, commonPage)
      if (key === null) return inTurn.other(request, response)
      if (wantsOwnAnswer(request)) return inTurn.own(request, response)
      return answerOf(key, request).then(
        (answer) => send(request, response, answer),
        (error) => (isBusy(error) ? sendBusy(request, response) : handle(request, response)),
      )
    },
    answerAtOnce: (request, response) => {
      if (!isPlain(request) || !changes.isListening() || changes.isPaused()) return false
      const key = wantsOwnAnswer(request) ? null : cacheKey(request, commonPage)
      const answer = key === null ? undefined : answers.get(key)
      const ready = answer?.ready.get(encodingFor(request))
      if (!answer || !ready) return false
      sendReady(request, response, answer, ready)
      return true
    },
    bytes: answers.bytes,
    endStreams: () => events.close(),
    close: async () => {
      clearInterval(sweep)
      events.close()
      await Promise.all([changes.close(), inner.close()])
    },
  }
}

/**
 * @param {string} url
 * @param {CachedAnswer} answer
 * @param {boolean} isPaused
 */
function isKept(url, { status, headers }, isPaused) {
  if (headers['set-cookie']) return false
  if (status === 200) return true
  // The page of a removed drop may be kept, because Postgres announces the change when the drop comes back.
  if (status === 410) return CACHED_PATH.test(pathOf(url))
  if (status === 404) return url === UNKNOWN_PAGE
  return status === 503 && isPaused
}

/**
 * Whether a request is so simple that it can be answered from memory before it is prepared for Next. A request with a
 * body or with an escaped character in its URL is not.
 * @param {IncomingMessage} request
 */
function isPlain({ method, url = '', headers }) {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return method === 'GET' && url.startsWith('/') && !url.includes('%') && !hasBody
}

/**
 * Returns the cache key of a request, or null for a request that is passed to Next. URLs of drops and profiles that
 * differ only in their query or in their percent-encoding have the same key. Otherwise anyone could force a new
 * rendering by varying these. The query can be left out, because the pages use it only in redirects, see `send`, and
 * for a follower's link. The case of the letters counts only for pages, which redirect to the right spelling. HEAD is
 * answered like GET, without the body, and a range is ignored, as HTTP allows.
 * @param {IncomingMessage} request
 * @param {(request: IncomingMessage) => string | null} commonPage
 * @returns {string | null}
 */
function cacheKey(request, commonPage) {
  const { method, url = LANDING } = request
  if (method !== 'GET' && method !== 'HEAD') return null
  const path = pathOf(url)
  // For sellers the landing page is the dashboard.
  if (path === LANDING) return hasSession(request) ? null : LANDING
  const [, folder, name, page = ''] = CACHED_PATH.exec(path) ?? []
  if (!folder || !name) return commonPage(request)
  if (path.length > MAX_PATH) return null
  try {
    const decoded = decodeURIComponent(name)
    // The calls find a drop or a profile in every spelling, and answer the same.
    return folder + encodeURIComponent(folder.startsWith('/api/') ? decoded.toLowerCase() : decoded) + page
  } catch {
    return null
  }
}

/**
 * Whether a request for a shared page gets an answer of its own: Next's own requests for parts of a page, whose headers
 * change the answer, and a follower's link, whose page no other visitor may get (ADR 0066).
 * @param {IncomingMessage} request
 */
function wantsOwnAnswer(request) {
  const path = pathOf(request.url)
  if (path.startsWith('/api/') || path === API_PAGE) return false
  if (isRouterRequest(request)) return true
  return DROP_PAGE.test(path) && isEarlyToken(new URLSearchParams(queryOf(request)).get('early'))
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
  if (isRedirect(answer)) {
    const { location, ...headers } = answer.headers
    // The page was rendered without the query, which differs between visitors. A redirect has to keep the query,
    // because it may hold a discount code.
    response.writeHead(answer.status, { ...headers, location: `${location}${queryOf(request)}` }).end(answer.body)
    return
  }
  const encoding = encodingFor(request)
  let ready = answer.ready.get(encoding)
  if (!ready) {
    ready = readyAnswer(answer, encoding, await bodyIn(encoding, answer))
    answer.ready.set(encoding, ready)
  }
  sendReady(request, response, answer, ready)
}

/**
 * @param {string} encoding
 * @param {CachedAnswer} answer
 * @returns {Promise<Buffer>}
 */
function bodyIn(encoding, { body, compressed }) {
  const compress = ENCODINGS[encoding]
  if (!compress) return Promise.resolve(body)
  const made = compressed.get(encoding) ?? compress(body)
  compressed.set(encoding, made)
  return made
}

/**
 * Whether the page shows no row of the database, such as the login. Only pausing or resuming the platform changes such
 * a page, and that empties the cache.
 * @param {string} key
 */
const showsNoRow = (key) => key !== LANDING && !CACHED_PATH.test(pathOf(key))

/** @param {CachedAnswer} answer */
const isRedirect = ({ status, headers }) => status >= 300 && status < 400 && headers.location !== undefined

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
 * @returns {string} Brotli or gzip, in this order, if the client accepts it; empty for no encoding
 */
function encodingFor({ headers }) {
  const accepted = headers['accept-encoding']
  if (accepted === undefined) return ''
  // Most browsers send one of these two values over HTTPS, so they are recognized without parsing.
  if (accepted === 'gzip, deflate, br' || accepted === 'gzip, deflate, br, zstd') return 'br'
  if (acceptsEncoding(String(accepted), 'br')) return 'br'
  return acceptsEncoding(String(accepted), 'gzip') ? 'gzip' : ''
}
