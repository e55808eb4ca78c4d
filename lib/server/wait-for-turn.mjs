/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 * @import { Socket } from 'node:net'
 */

/** How many requests of one connection may wait. Browsers and proxies wait for each answer, so they have none. */
const MOST_WAITING = 50

/** @type {WeakMap<Socket, number>} how many requests wait on a connection */
const waitingOn = new WeakMap()

/**
 * Whether a connection is still busy with an earlier request. Node announces all requests that a client sends at once
 * (pipelining), and gives the connection to one response after the other.
 * @param {ServerResponse} response
 */
export const mustWait = (response) => response.socket === null

/**
 * Begins to answer a request when its response gets the connection. Without this wait, one connection could make the
 * server work on thousands of requests at the same time, and keep their answers in memory behind a stream that never
 * ends (ADR 0075). A connection on which too many requests wait is closed.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response for which mustWait() is true
 * @param {() => unknown} answer is not called when the connection is closed before
 */
export function waitForTurn({ socket }, response, answer) {
  const waiting = (waitingOn.get(socket) ?? 0) + 1
  if (waiting > MOST_WAITING) return void socket.destroy()
  waitingOn.set(socket, waiting)
  response.once('socket', () => {
    waitingOn.set(socket, (waitingOn.get(socket) ?? 1) - 1)
    // Node is still passing the connection on when it emits this event.
    process.nextTick(() => response.destroyed || answer())
  })
}
