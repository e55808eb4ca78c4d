/** @import { IncomingMessage, ServerResponse } from 'node:http' */

/** How much of the rest of an answered request is read, and for how long. */
const LIMIT_BYTES = 16 * 1024 * 1024
const LIMIT_MS = 10_000

/**
 * Reads and discards the rest of a request that was answered before its body had arrived completely (with a 401 or a
 * 413, for example). Closing the connection right away would reset it while the client is still sending, and the client
 * would lose the response. Beyond the limits above, the connection is closed.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
export function drainRequest(request, response) {
  response.once('finish', () => {
    if (request.complete || request.destroyed) return
    const { socket } = request
    const bytesBefore = socket.bytesRead
    const giveUp = () => socket.destroy()
    const timer = setTimeout(giveUp, LIMIT_MS)
    const stop = () => clearTimeout(timer)
    // The handler may have stopped reading in the middle of the body. Its listeners would block the rest.
    request.unpipe()
    request.removeAllListeners('readable')
    request.removeAllListeners('data')
    request.on('data', () => {
      if (socket.bytesRead - bytesBefore > LIMIT_BYTES) giveUp()
    })
    request.once('end', stop)
    request.once('close', stop)
    request.resume()
  })
}
