import { randomBytes } from 'node:crypto'

/** @import { ServerResponse } from 'node:http' */

/**
 * Answers with an error in the form of all calls (docs/contract.md#errors).
 * @param {ServerResponse} response
 * @param {number} status
 * @param {{ code: string, text: string }} error
 */
export function sendRefusal(response, status, { code, text }) {
  const body = JSON.stringify({ error: text, message: text, code, requestId: `req_${randomBytes(11).toString('hex')}` })
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(body)
}
