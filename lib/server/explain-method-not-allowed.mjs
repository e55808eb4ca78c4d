import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { PERSONAL_CACHE_CONTROL } from '../kernel/response-headers.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Completes Next's 405 response, which has no body. Adds a JSON body like that of other API errors, and an Allow header
 * with the methods that the URL accepts. Next names these methods only in its response to OPTIONS.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
export function explainMethodNotAllowed(request, response) {
  // An OPTIONS request already asks for the methods, so it needs no explanation.
  if (request.method === 'OPTIONS') return
  const { end, writeHead } = response
  let isExplained = false
  const mustExplain = () => response.statusCode === 405 && !isExplained
  // Next's compression calls writeHead() before end(). The headers have to wait until the body below is known.
  response.writeHead = (/** @type {unknown[]} */ ...rest) =>
    mustExplain() ? response : Reflect.apply(writeHead, response, rest)
  response.end = (/** @type {unknown[]} */ ...rest) => {
    if (!mustExplain()) return Reflect.apply(end, response, rest)
    const text = `This call does not accept ${request.method}.`
    const requestId = `req_${randomBytes(16).toString('base64url')}`
    const body = JSON.stringify({ error: text, message: text, code: 'METHOD_NOT_ALLOWED', requestId })
    void askForMethods(request).then((allowed) => {
      isExplained = true
      if (allowed) response.setHeader('Allow', allowed)
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('Cache-Control', PERSONAL_CACHE_CONTROL)
      response.setHeader('Content-Length', Buffer.byteLength(body))
      response.end(request.method === 'HEAD' ? undefined : body)
    })
    return response
  }
}

/**
 * @param {IncomingMessage} request
 * @returns {Promise<string | null>} the methods that the URL accepts, separated by commas; null
 *   if Next does not name them
 */
async function askForMethods({ url, socket: { localAddress = '127.0.0.1', localPort } }) {
  const host = isIP(localAddress) === 6 ? `[${localAddress}]` : localAddress
  try {
    const answer = await fetch(`http://${host}:${localPort}${url}`, { method: 'OPTIONS' })
    return answer.headers.get('allow')
  } catch {
    return null
  }
}
