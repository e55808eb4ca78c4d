import { createRenderQueue, sendBusy } from './create-render-queue.mjs'
import { isPageForStrangers } from './find-common-page.mjs'
import { isFilePath } from './is-file-path.mjs'
import { isUpload } from './is-upload.mjs'
import { networkOfVisitor } from './network-of-visitor.mjs'
import { pathOf } from './path-of.mjs'
import { isFormRoute } from './posted-paths.mjs'

/** @import { IncomingMessage } from 'node:http' */
/** @import { RequestHandler } from './start-web-server.mjs' */

/**
 * The limits for renderings of shared pages that serve only one request. Few people need them, so a flood of them must
 * leave room for others. One network gets at most a quarter of the waiting places, and leaves one running place free.
 */
const OWN = { atOnce: 4, waiting: 60, perNetwork: { atOnce: 3, waiting: 15 } }

/**
 * The limits for pages that are different for everyone, such as a checkout or the dashboard. They are so high that a
 * crowd of buyers behind one address gets its pages. Without them, a flood of such requests would take the processor
 * time of purchases.
 */
const PERSONAL = { atOnce: 64, waiting: 2_000, perNetwork: { atOnce: 16, waiting: 600 } }

/**
 * The limits for calls. They are so high that everyone behind one address gets an answer in ordinary use. Only a
 * network that sends more calls than this process answers waits (ADR 0075).
 */
const CALLS = { atOnce: Infinity, waiting: 10_000, perNetwork: { atOnce: 64, waiting: 1_000 } }

/**
 * The longest time for which a request keeps its place. Without this limit, a visitor who reads slowly would keep a
 * place long after the rendering has ended. So would one who sends a body slowly.
 */
const MOST_MS = 10_000

/** These pages wait for Stripe. They have a queue of their own, so that a slow Stripe does not slow all other pages. */
const PAYMENT_PAGE = /^\/(?:(?:checkout|claim|success-payment)(?:\/|$)|billing$|drop\/[^/]+\/cancel$)/i
/**
 * Further paths at which no page is rendered: files of the build, the stand-in for Stripe, downloads, and the images of
 * drops and profiles, which have a queue of their own (lib/previews).
 */
const NO_PAGE = /^\/(?:_next\/|sandbox\/(?!mail$)|o\/[^/]+\/file$|(?:drop|profile)\/[^/]+\/(?:opengraph|story)-image$)/i
/**
 * Purchases wait for Stripe in a line of their own (ADR 0052), and a crowd may buy from behind one address. Stripe
 * reports many payments at a time from few addresses.
 */
const PURCHASE = /^\/(?:(?:drop|claim)\/[^/]+\/buy|api\/(?:checkout\/.+|create-payment-intent|webhooks\/stripe))$/

/**
 * Passes requests for pages and calls on to Next when their turn comes. The place of a request is free again when the
 * answer has been sent, when the visitor has left, or after MOST_MS.
 * @param {RequestHandler} handle Next's request handler
 * @param {number} trustedProxyHops
 * @returns {{ own: RequestHandler, other: RequestHandler }} `own` is for a request for a shared page that the shared
 *   cache cannot answer from memory, and `other` for every request that is not for a shared page
 */
export function handlePagesInTurn(handle, trustedProxyHops) {
  const inTurn = (/** @type {string} */ name, /** @type {typeof OWN} */ limits) =>
    handleInTurn(handle, trustedProxyHops, createRenderQueue({ name, ...limits }))
  const own = inTurn('own-pages', OWN)
  const payment = inTurn('payment-pages', PERSONAL)
  const personal = inTurn('personal-pages', PERSONAL)
  // The body of such a request may arrive slowly. It must not take the place of a page.
  const posted = inTurn('posts-to-pages', PERSONAL)
  const calls = inTurn('calls', CALLS)
  // These have bodies, too.
  const postedCalls = inTurn('posted-calls', CALLS)
  /** @param {IncomingMessage} request */
  const handlerFor = ({ method, url = '/' }) => {
    const path = pathOf(url)
    const isRead = method === 'GET' || method === 'HEAD'
    if (isUpload(method, path) || (!isRead && PURCHASE.test(path))) return handle
    if (path.startsWith('/api/')) return isRead ? calls : postedCalls
    if (isFilePath(path) || NO_PAGE.test(path)) return handle
    if (!isRead) return isFormRoute(path) ? postedCalls : posted
    // Anyone can ask for these pages with any number of queries, and each would be a rendering of its own.
    if (isPageForStrangers(url)) return own
    return PAYMENT_PAGE.test(path) ? payment : personal
  }
  return { own, other: (request, response) => handlerFor(request)(request, response) }
}

/**
 * @param {RequestHandler} handle
 * @param {number} trustedProxyHops
 * @param {import('./create-render-queue.mjs').RenderQueue} queue
 * @returns {RequestHandler}
 */
function handleInTurn(handle, trustedProxyHops, queue) {
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
      return sendBusy(request, response)
    }
    return handle(request, response)
  }
}
