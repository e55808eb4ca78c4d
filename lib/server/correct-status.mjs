import { answering } from '../kernel/answering.mjs'

/** The number of seconds after which a client may try again. Postgres needs one to two seconds to restart. */
const RETRY_SECONDS = '2'

/**
 * Lets Next answer a request, and replaces the status 500 with 503 if the database, Stripe or the storage was
 * unavailable. lib/http/note-request-error.ts reports this through answering(), because a page of Next cannot set its
 * status. With a 500, monitoring would report a bug, and search engines would remove the page.
 * @param {import('node:http').ServerResponse} response
 * @param {() => unknown} answer
 */
export function correctStatus(response, answer) {
  const state = { isUnavailable: false }
  const { writeHead } = response
  response.writeHead = (/** @type {[number, ...unknown[]]} */ ...[status, ...rest]) => {
    const isUnavailable = status === 500 && state.isUnavailable
    if (isUnavailable) response.setHeader('Retry-After', RETRY_SECONDS)
    return Reflect.apply(writeHead, response, [isUnavailable ? 503 : status, ...rest])
  }
  return answering().run(state, answer)
}
