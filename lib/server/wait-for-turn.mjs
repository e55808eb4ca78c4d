/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Socket } from 'node:net'
 *
 * @typedef {{ requests: number, bytes: number }} Waiting what waits on one connection
 */

/** How many requests of one connection may wait. Browsers and proxies wait for each answer, so they have none. */
const MOST_WAITING = 50
/**
 * How much memory the waiting requests of all connections may take. Without this limit, one client could open many
 * connections, read none of the answers, and fill the memory with the headers of what waits behind them.
 */
const MOST_BYTES = 8 * 1024 * 1024
/** The approximate memory of a request without its headers and its body. */
const REQUEST_BYTES = 4 * 1024
/** Node reads at most about this much of a body before its request is answered. */
const BODY_BYTES = 64 * 1024

/** @type {WeakMap<Socket, Waiting>} */
const waitingOn = new WeakMap()
let bytesOfAll = 0

/**
 * Whether a connection is still busy with an earlier request. Node announces all requests that a client sends at once
 * (pipelining), and gives the connection to one response after the other.
 * @param {ServerResponse} response
 */
export const mustWait = (response) => response.socket === null

/**
 * Begins to answer a request when its response gets the connection. Without this wait, one connection could make the
 * server work on thousands of requests at the same time, and keep their answers in memory behind a stream that never
 * ends (ADR 0075). A connection on which too many requests wait is closed, and so is one whose request would take the
 * memory of all waiting requests above its limit.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response for which mustWait() is true
 * @param {() => unknown} answer is not called when the connection is closed before
 */
export function waitForTurn(request, response, answer) {
  const { socket } = request
  const waiting = waitingOn.get(socket) ?? watch(socket)
  const bytes = bytesOf(request)
  if (waiting.requests >= MOST_WAITING || bytesOfAll + bytes > MOST_BYTES) return void socket.destroy()
  count(waiting, 1, bytes)
  response.once('socket', () => {
    if (socket.destroyed) return
    count(waiting, -1, -bytes)
    // Node is still passing the connection on when it emits this event.
    process.nextTick(() => response.destroyed || answer())
  })
}

/** @param {Socket} socket */
function watch(socket) {
  /** @type {Waiting} */
  const waiting = { requests: 0, bytes: 0 }
  waitingOn.set(socket, waiting)
  socket.once('close', () => count(waiting, -waiting.requests, -waiting.bytes))
  return waiting
}

/**
 * @param {Waiting} waiting
 * @param {number} requests
 * @param {number} bytes
 */
function count(waiting, requests, bytes) {
  waiting.requests += requests
  waiting.bytes += bytes
  bytesOfAll += bytes
}

/** @param {IncomingMessage} request */
function bytesOf({ url = '', rawHeaders, headers }) {
  const announced = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : BODY_BYTES
  const length = rawHeaders.reduce((sum, part) => sum + part.length, url.length)
  // The headers are in memory twice, as a list and by name.
  return REQUEST_BYTES + 2 * length + Math.min(announced, BODY_BYTES)
}
