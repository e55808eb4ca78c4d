import { SERVER_TIME_HEADER } from '../kernel/response-headers.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { CachedAnswer } from './to-cached-answer.mjs'
 *
 * @typedef {{ head: string[], unchanged: string[], body: Buffer, renderedAt: number }} ReadyAnswer the headers of the
 *   whole answer and of "not modified" as flat lists for writeHead(), in which each name is followed by its value;
 *   `renderedAt` is NaN when the answer has no time
 */

/**
 * The headers of the whole answer that a 304 repeats: those of RFC 9110 (15.4.5), two that must not be stale in the
 * browser's copy, and the one without which a browser would not let another site's script read the copy. The browser
 * keeps the other headers of its copy.
 */
const OF_UNCHANGED = new Set([
  'cache-control',
  'etag',
  'vary',
  'expires',
  'access-control-allow-origin',
  'content-location',
  'content-security-policy',
  SERVER_TIME_HEADER,
])

/**
 * Prepares the headers of an answer once, so that each further request only sets the time and sends them.
 * @param {CachedAnswer} answer
 * @param {string} encoding empty for none
 * @param {Buffer} body in that encoding
 * @returns {ReadyAnswer}
 */
export function readyAnswer(answer, encoding, body) {
  const { [SERVER_TIME_HEADER]: time, ...headers } = answer.headers
  const renderedAt = Date.parse(String(time))
  /** @type {[string, string][]} */
  const pairs = []
  // The time comes first, where sendReady() finds it.
  if (!Number.isNaN(renderedAt)) pairs.push([SERVER_TIME_HEADER, ''])
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) pairs.push([name, one])
  }
  const unchanged = pairs.filter(([name]) => OF_UNCHANGED.has(name)).flat()
  if (encoding) pairs.push(['content-encoding', encoding])
  pairs.push(['content-length', String(body.length)])
  return { head: pairs.flat(), unchanged, body, renderedAt }
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {CachedAnswer} answer
 * @param {ReadyAnswer} ready
 */
export function sendReady(request, response, answer, { head, unchanged, body, renderedAt }) {
  const isUnchanged = answer.status === 200 && request.headers['if-none-match'] === answer.headers.etag
  const headers = isUnchanged ? unchanged : head
  // Browsers count down against the server's time, so the header must hold the time of sending and not that of the
  // rendering.
  if (!Number.isNaN(renderedAt)) {
    headers[1] = new Date(renderedAt + performance.now() - answer.storedAt).toISOString()
  }
  if (isUnchanged) response.writeHead(304, headers).end()
  else response.writeHead(answer.status, headers).end(body)
}
