import { createRenderQueue, sendBusy } from './create-render-queue.mjs'
import { networkOfVisitor } from './network-of-visitor.mjs'

/** @import { RequestHandler } from './start-web-server.mjs' */

/**
 * The limits for renderings that serve only one request. Few people need them, so a flood of them must leave room for
 * others. One network gets at most a quarter of the waiting places, and leaves one running place free.
 */
const OWN = { atOnce: 4, waiting: 60, perNetwork: { atOnce: 3, waiting: 15 } }

/**
 * The longest time for which a request keeps its place. Without this limit, a visitor who reads slowly would keep a place
 * long after the rendering has ended. So would one whose connection is blocked by an earlier answer that never ends.
 */
const MOST_MS = 10_000

/**
 * Returns a handler that passes each request on when its turn comes, for pages that the shared cache cannot answer from
 * memory. The place of a request is free again when the answer has been sent, when the visitor has left, or after MOST_MS.
 * @param {RequestHandler} handle
 * @param {number} trustedProxyHops
 * @returns {RequestHandler}
 */
export function handleOwnPages(handle, trustedProxyHops) {
  const queue = createRenderQueue({ name: 'own-pages', ...OWN })
  return async (request, response) => {
    try {
      const leave = await queue.enter(networkOfVisitor(request, trustedProxyHops))
      if (response.destroyed) return leave()
      const tooLong = setTimeout(end, MOST_MS).unref()
      response.once('close', end)
      function end() {
        clearTimeout(tooLong)
        response.off('close', end)
        leave()
      }
    } catch {
      return sendBusy(response)
    }
    return handle(request, response)
  }
}
