import { SERVER_TIME_HEADER } from '../kernel/response-headers.mjs'

/**
 * How long it takes until the drop that GET /api/drop/{identifier} answered starts, and until it ends. All these times are the
 * database's, also the one at which the answer was read, so the clock of this machine plays no part.
 * @param {{ headers: import('node:http').IncomingHttpHeaders, body: Buffer }} answer
 * @returns {{ start: number | null, end: number | null }} null for what has passed, and for an answer of another kind
 */
export function msUntilChange({ headers, body }) {
  if (!headers['content-type']?.startsWith('application/json')) return { start: null, end: null }
  /** @type {{ startedAt?: string, endTime?: string }} */
  const { startedAt = '', endTime = '' } = JSON.parse(String(body))
  const readAt = Date.parse(String(headers[SERVER_TIME_HEADER]))
  const [toStart = NaN, toEnd = NaN] = [startedAt, endTime].map((at) => Date.parse(at) - readAt)
  // A drop whose start was cancelled is over although it never started.
  return toEnd > 0 ? { start: toStart > 0 ? toStart : null, end: toEnd } : { start: null, end: null }
}
