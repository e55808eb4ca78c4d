import { answering } from '../kernel/answering.mjs'

/** When a client may ask again. Postgres needs one to two seconds to be restarted. */
const RETRY_SECONDS = '2'

/**
 * Lets Next answer a request, with the status 503 instead of 500 when the answer failed because something that the page
 * needs is away: lib/http/note-request-error.ts says so, through answering(). A page of Next cannot set its status, and a 500 would say that the page is broken: monitoring would raise
 * an alarm about code, and search engines would drop the page.
 * @param {import('node:http').ServerResponse} response
 * @param {() => unknown} answer
 */
export function correctStatus(response, answer) {
  const state = { isUnavailable: false }
  const { writeHead } = response
  response.writeHead = (/** @type {[number, ...unknown[]]} */ ...[status, ...rest]) => {
    const isLate = status === 500 && state.isUnavailable
    if (isLate) response.setHeader('Retry-After', RETRY_SECONDS)
    return Reflect.apply(writeHead, response, [isLate ? 503 : status, ...rest])
  }
  return answering().run(state, answer)
}
