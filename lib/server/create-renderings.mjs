import { createRenderPace } from './create-render-pace.mjs'
import { RenderTooSlow } from './create-render-queue.mjs'
import { createRenderQueues } from './create-render-queues.mjs'
import { networkOfVisitor } from './network-of-visitor.mjs'
import { toCachedAnswer } from './to-cached-answer.mjs'

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { AnswerStore } from './create-answer-store.mjs'
 * @import { WholeAnswer } from './start-inner-server.mjs'
 * @import { CachedAnswer } from './to-cached-answer.mjs'
 *
 * @typedef {{ answer: Promise<CachedAnswer>, hasBegun: boolean }} Rendering until it has begun, it will contain every
 *   change so far
 */

/**
 * Renders the shared pages of this process. Everyone who asks for a page gets the rendering that is under way. A
 * rendering that had begun before the page changed is not given to anyone who asks after the change, and is not stored.
 * @param {{
 *   answers: AnswerStore<CachedAnswer>,
 *   fetch: (url: string, host: string | undefined, mostMs?: number) => Promise<WholeAnswer>,
 *   mayKeep: (key: string, answer: CachedAnswer) => boolean,
 *   trustedProxyHops: number,
 *   mostMs?: number,
 *   freshMs?: number,
 * }} options `fetch` renders a page with Next; `mostMs` is how long that may take, and `freshMs` how long an answer is fresh
 *   at most
 */
export function createRenderings({ answers, fetch, mayKeep, trustedProxyHops, mostMs, freshMs }) {
  /** @type {Map<string, Rendering>} by cache key */
  const underWay = new Map()
  const pace = createRenderPace()
  const queues = createRenderQueues()

  /**
   * Renders a page. If that takes too long, the earlier answer is returned, unless it has changed since.
   * @param {string} key
   * @param {IncomingMessage} [request]
   * @returns {Rendering}
   */
  function begin(key, request) {
    /** @type {CachedAnswer | undefined} */
    let earlier
    const isCurrent = () => underWay.get(key) === rendering
    const fetchInTurn = async () => {
      const leave = await queues.enter(key, request && networkOfVisitor(request, trustedProxyHops))
      rendering.hasBegun = true
      earlier = answers.peek(key)
      return fetch(key, request?.headers.host, mostMs).finally(leave)
    }
    const answer = pace
      .enter(key)
      .then((end) => fetchInTurn().finally(end))
      .then((whole) => {
        const rendered = toCachedAnswer(key, whole, { freshMs, earlier: answers.peek(key) })
        if (mayKeep(key, rendered) && isCurrent()) answers.set(queues.remember(key), rendered)
        return rendered
      })
      .catch((error) => {
        if (error instanceof RenderTooSlow && isCurrent() && earlier) return earlier
        throw error
      })
      .finally(() => {
        if (isCurrent()) underWay.delete(key)
      })
    /** @type {Rendering} */
    const rendering = { answer, hasBegun: false }
    underWay.set(key, rendering)
    return rendering
  }

  return {
    /**
     * @param {string} key the page's cache key
     * @param {IncomingMessage} [request] is missing when no visitor has asked for the page
     * @returns {Promise<CachedAnswer>}
     */
    render: (key, request) => (underWay.get(key) ?? begin(key, request)).answer,
    /**
     * Has to be called when the page of a path has changed, whatever the case of its letters.
     * @param {string} path
     */
    changed: (path) => {
      for (const [key, { hasBegun }] of underWay) if (hasBegun && key.toLowerCase() === path) underWay.delete(key)
    },
    /** Has to be called when any page may have changed. */
    allChanged: () => {
      for (const [key, { hasBegun }] of underWay) if (hasBegun) underWay.delete(key)
    },
  }
}
