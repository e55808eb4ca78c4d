// Passes the calls of a purchase directly to their handlers, without Next's router (ADR 0057).
import { directCalls } from '../kernel/direct-calls.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { DirectCall } from '../kernel/direct-calls.mjs'
 * @import { RequestHandler } from './start-web-server.mjs'
 */

/** The headers that only Next's own scripts send. */
const OF_NEXT = ['next-action', 'rsc', 'next-router-state-tree']

/** A body of up to this size is read before the handler runs, unless its sender is slow. */
const SMALL_BYTES = 64 * 1024
const SLOW_MS = 1_000

/**
 * Answers the POST calls that the application has registered in directCalls(), and leaves every other request to
 * `next`. A call with a query in its URL, or with a header of Next's own scripts, is also left to `next`.
 * @param {RequestHandler} next
 * @returns {RequestHandler}
 */
export function answerDirectly(next) {
  return (request, response) => {
    const call = request.method === 'POST' ? directCalls().get(request.url ?? '') : undefined
    if (!call || OF_NEXT.some((name) => request.headers[name] !== undefined)) return next(request, response)
    return answer(call, request, response).catch(() => {
      // The socket must not stay open without a response.
      if (response.headersSent) response.destroy()
      else response.writeHead(500, { 'Content-Length': 0 }).end()
    })
  }
}

/**
 * @param {DirectCall} call
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
async function answer(call, request, response) {
  const body = await readSmall(request)
  const answered = await call({ path: request.url ?? '/', headers: request.headers, body })
  const headers = [...answered.headers, ['Content-Length', String(Buffer.byteLength(answered.body))]]
  if (!response.hasHeader('connection')) return response.writeHead(answered.status, headers.flat()).end(answered.body)
  // The server is closing and has set the Connection header. Once a header is set, writeHead() of Node 20 sends only
  // the last of several headers with the same name, such as Set-Cookie.
  for (const [name = '', value = ''] of headers) response.appendHeader(name, value)
  return response.writeHead(answered.status).end(answered.body)
}

/**
 * Returns a small body as a buffer if it arrives within a second. Returns any other body as a stream, so that the
 * handler's own limits of size and time apply to it. Returns null if the announced length is zero.
 * @param {IncomingMessage} request
 * @returns {Promise<Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null>}
 */
function readSmall(request) {
  const announced = Number(request.headers['content-length'])
  if (announced === 0) return Promise.resolve(null)
  /** @type {Buffer[]} */
  const chunks = []
  if (!(announced <= SMALL_BYTES)) return Promise.resolve(streamOf(request, chunks))
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(limit)
      request.off('data', keep).off('end', settle).off('close', settle)
      resolve(request.complete ? Buffer.concat(chunks) : streamOf(request, chunks))
    }
    const keep = (/** @type {Buffer} */ chunk) => chunks.push(chunk)
    const limit = setTimeout(settle, SLOW_MS)
    request.on('data', keep).on('end', settle).on('close', settle)
  })
}

/**
 * @param {IncomingMessage} request
 * @param {Buffer[]} chunks what was already read
 * @returns {ReadableStream<Uint8Array>} fails if the connection ends before the body is complete
 */
function streamOf(request, chunks) {
  return new ReadableStream({
    start: (stream) => {
      for (const chunk of chunks) stream.enqueue(chunk)
      const lost = () => stream.error(new Error('The connection has ended.'))
      if (request.destroyed) return lost()
      request.on('data', (chunk) => {
        stream.enqueue(new Uint8Array(chunk))
        request.pause()
      })
      request.once('end', () => {
        request.off('close', lost)
        stream.close()
      })
      request.once('close', lost)
    },
    pull: () => void request.resume(),
  })
}
