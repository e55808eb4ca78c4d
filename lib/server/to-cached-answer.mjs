import { createHash } from 'node:crypto'
import path from 'node:path'
import { SHARED_CACHE_CONTROL } from '../kernel/response-headers.mjs'
import { API_DOCUMENT, CACHED_PATH, DROP_CALL, DROP_PAGE, LANDING } from './cached-paths.mjs'
import { isSameForAll } from './find-common-page.mjs'
import { hashInlineScripts, nonceOf } from './hash-inline-scripts.mjs'
import { holdBackScripts } from './hold-back-scripts.mjs'
import { inlineStyleSheets, withoutStyleSheets } from './inline-style-sheets.mjs'
import { msUntilChange } from './ms-until-change.mjs'
import { pathOf } from './path-of.mjs'
import { cacheControlOf } from './receive-request.mjs'

/**
 * @import { IncomingHttpHeaders } from 'node:http'
 * @import { WholeAnswer } from './start-inner-server.mjs'
 * @import { ReadyAnswer } from './ready-answer.mjs'
 *
 * @typedef {WholeAnswer & {
 *   storedAt: number,
 *   freshUntil: number,
 *   bytes: number,
 *   compressed: Map<string, Promise<Buffer>>,
 *   ready: Map<string, ReadyAnswer>,
 * }} CachedAnswer `compressed` and `ready` have an entry for each encoding that was requested; `bytes` is the
 *   approximate size of the entry in memory; both times are times of `performance.now()`
 */

/**
 * The longest time for which an answer is fresh. After this time, a change that Postgres does not announce is shown
 * too.
 */
const FRESH_MS = 1_000
/** How long an answer that only a new start of the process changes is fresh. Rendering the largest one takes 90 ms. */
const CONSTANT_FRESH_MS = 60_000
/**
 * How long the answers of a paused platform are fresh. lib/platform/queries.ts remembers the state for the same time.
 */
const PAUSED_FRESH_MS = 250
/** The approximate memory for an answer's headers and for the entry itself. */
const EXTRA_BYTES = 4_096
/**
 * Cache-Control of the landing page and of the pages of find-common-page.mjs. Other caches cannot distinguish visitors
 * from sellers, and after a login the browser must not show the visitors' page again.
 */
const LANDING_CACHE_CONTROL = 'private, no-cache'

/**
 * Prepares a rendered answer for the shared cache: decides how long it is fresh and which caches may store it.
 * @param {string} url
 * @param {WholeAnswer} answer
 * @param {{ freshMs?: number, earlier?: CachedAnswer }} options `freshMs` is the longest time for which the answer is
 *   fresh; if the body of the `earlier` answer is the same, its compressed bodies are used again
 * @returns {CachedAnswer}
 */
export function toCachedAnswer(url, answer, { freshMs = freshMsOf(url, answer), earlier }) {
  const { status, askedAt } = answer
  const headers = { ...answer.headers }
  const body = hashInlineScripts(headers, preparePage(url, headers, answer))
  const isShared = CACHED_PATH.test(pathOf(url)) || url === API_DOCUMENT
  if (status === 200) {
    headers['cache-control'] = isShared ? SHARED_CACHE_CONTROL : LANDING_CACHE_CONTROL
    headers.etag ??= `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`
  } else if (headers['cache-control']) {
    headers['cache-control'] = cacheControlOf(status, headers['cache-control'])
  }
  const isSame = earlier !== undefined && earlier.body.equals(body)
  const storedAt = performance.now()
  // The time until a change is counted from the beginning of the rendering, because the database read its clock after
  // that.
  const freshUntil = Math.min(
    storedAt + (status === 503 ? PAUSED_FRESH_MS : freshMs),
    askedAt + msUntilWrong(url, answer),
  )
  const compressed = isSame ? earlier.compressed : new Map()
  const bytes = Math.ceil(body.length * 1.7) + EXTRA_BYTES
  return { status, headers, body, askedAt, storedAt, freshUntil, bytes, compressed, ready: new Map() }
}

/**
 * @param {string} url
 * @param {WholeAnswer} answer
 * @returns {number} the longest time for which an answer is fresh
 */
function freshMsOf(url, { status }) {
  return status === 200 && isSameForAll(url) ? CONSTANT_FRESH_MS : FRESH_MS
}

/**
 * Returns the body of an answer. The pages that links from other sites lead to contain their style sheets. The drop
 * page, which can be used without the framework, also loads its scripts late (ADR 0060).
 * @param {string} url
 * @param {IncomingHttpHeaders} headers changed in place
 * @param {WholeAnswer} answer
 * @returns {Buffer}
 */
function preparePage(url, headers, { status, body }) {
  const isPage = status === 200 && headers['content-type']?.startsWith('text/html')
  if (!isPage || !(url === LANDING || CACHED_PATH.test(pathOf(url)))) return body
  const page = inlineStyleSheets(String(body), path.resolve('.next'))
  if (typeof headers.link === 'string') headers.link = withoutStyleSheets(headers.link, page) || undefined
  return Buffer.from(DROP_PAGE.test(url) ? holdBackScripts(page, nonceOf(headers)) : page)
}

/**
 * Returns how many milliseconds an answer stays right. An answer of GET /api/drop/{identifier} becomes wrong when its
 * drop starts or ends, and Postgres does not announce this. The drop page may be kept longer, because it counts down by
 * itself and repeats that call at zero.
 * @param {string} url
 * @param {WholeAnswer} answer
 * @returns {number} Infinity for every other answer, and for a drop that has ended
 */
function msUntilWrong(url, answer) {
  if (answer.status !== 200 || !DROP_CALL.test(pathOf(url))) return Infinity
  const { start, end } = msUntilChange(answer)
  return start ?? end ?? Infinity
}
