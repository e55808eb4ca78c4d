/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/**
 * Answers directly on the socket, as Node does with a late request, because Next owns the response by now.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {string} status
 */
export function refuseOnSocket({ socket }, response, status) {
  if (response.headersSent || socket.destroyed) return void socket.destroy()
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy())
}
