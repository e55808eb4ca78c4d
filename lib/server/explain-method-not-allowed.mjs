import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { PERSONAL_CACHE_CONTROL } from '../kernel/response-headers.mjs'

/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Gives Next's 405, which has no body, the JSON body that every error of the API has, and an Allow header with the methods
 * that the address does take. Next names those only when it is asked with OPTIONS.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
export function explainMethodNotAllowed(request, response) {
  // An OPTIONS request itself asks for the methods.
  if (request.method === 'OPTIONS') return
  const { end, writeHead } = response
  let isExplained = false
  const mustExplain = () => response.statusCode === 405 && !isExplained
  // Next's compression writes the head before the body ends. The head has to wait until the body below is known.
  response.writeHead = (/** @type {unknown[]} */ ...rest) =>
    mustExplain() ? response : Reflect.apply(writeHead, response, rest)
  response.end = (/** @type {unknown[]} */ ...rest) => {
    if (!mustExplain()) return Reflect.apply(end, response, rest)
    const text = `This call does not take ${request.method}.`
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
 * @returns {Promise<string | null>} the address's methods, separated by commas; null when Next does not name them
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
