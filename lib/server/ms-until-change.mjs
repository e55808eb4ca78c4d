import { SERVER_TIME_HEADER } from '../kernel/response-headers.mjs'

/**
 * Returns how many milliseconds after an answer of GET /api/drop/{identifier} its drop starts and ends. All times in
 * the answer come from the database's clock, so the clock of this machine does not matter.
 * @param {{ headers: import('node:http').IncomingHttpHeaders, body: Buffer }} answer
 * @returns {{ start: number | null, end: number | null }} null for a time that has passed or is missing, and for an
 *   answer that is not JSON
 */
export function msUntilChange({ headers, body }) {
  if (!headers['content-type']?.startsWith('application/json')) return { start: null, end: null }
  /** @type {{ startedAt?: string, endTime?: string }} */
  const { startedAt = '', endTime = '' } = JSON.parse(String(body))
  const readAt = Date.parse(String(headers[SERVER_TIME_HEADER]))
  const [toStart = NaN, toEnd = NaN] = [startedAt, endTime].map((at) => Date.parse(at) - readAt)
  // A scheduled drop that was canceled has ended although it never started.
  return toEnd > 0 ? { start: toStart > 0 ? toStart : null, end: toEnd } : { start: null, end: null }
}
