import { sendRefusal } from './send-refusal.mjs'
import { processState } from '../kernel/process-state.mjs'

/**
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 *
 * @typedef {{ enter: (network?: string | null) => Promise<() => void> }} RenderQueue `enter` waits for a place, and
 *   returns the function that frees it. It throws RenderQueueFull when no more may wait. `network` is the visitor's
 *   network, or null when it is not known; then only the limits of the whole queue hold.
 */

/** Thrown when too many renderings wait already. */
class RenderQueueFull extends Error {}

/** Thrown when a rendering has not answered in time. */
export class RenderTooSlow extends Error {}

/**
 * Whether an error means that this process is too busy to render a page.
 * @param {unknown} error
 */
export const isBusy = (error) => error instanceof RenderQueueFull || error instanceof RenderTooSlow

/** After how many seconds a refused visitor may try again. */
const RETRY_SECONDS = 3

/**
 * Creates a queue for renderings that the shared cache cannot answer from memory, and for calls, so that requests that
 * avoid the cache cannot take the whole processor. `atOnce` of them run at the same time in this process, and `waiting`
 * wait in order. With `perNetwork`, one network runs and waits for at most that many of them, so that it leaves places
 * for others. /api/metrics reports the queue beside those of lib/infra/bounded-queue.ts.
 * @param {{ name: string, atOnce: number, waiting: number, perNetwork?: { atOnce: number, waiting: number } }} options
 * @returns {RenderQueue}
 */
export function createRenderQueue({ name, atOnce, waiting, perNetwork = { atOnce, waiting } }) {
  /** @type {{ running: number, waiting: { network: string | null, start: () => void }[] }} */
  const queue = { running: 0, waiting: [] }
  processState('queues', () => new Map()).set(name, queue)
  /** @type {Map<string, number>} how many renderings of each network run */
  const runningOf = new Map()
  /** @type {Map<string, number>} how many renderings of each network wait */
  const waitingOf = new Map()

  /** @param {string | null} network */
  const mayRun = (network) =>
    queue.running < atOnce && (network === null || (runningOf.get(network) ?? 0) < perNetwork.atOnce)

  /**
   * @param {Map<string, number>} counts
   * @param {string | null} network
   * @param {1 | -1} by
   */
  function change(counts, network, by) {
    if (network === null) return
    const left = (counts.get(network) ?? 0) + by
    if (left > 0) counts.set(network, left)
    else counts.delete(network)
  }

  /**
   * @param {string | null} network
   * @param {1 | -1} by
   */
  function count(network, by) {
    queue.running += by
    change(runningOf, network, by)
  }

  /** @param {string | null} network */
  function assertRoom(network) {
    if (queue.waiting.length < waiting && (network === null ? 0 : (waitingOf.get(network) ?? 0)) < perNetwork.waiting)
      return
    throw new RenderQueueFull(`the queue ${name} is full`)
  }

  /** @param {string | null} network */
  function leave(network) {
    count(network, -1)
    const at = queue.waiting.findIndex((one) => mayRun(one.network))
    const [next] = at === -1 ? [] : queue.waiting.splice(at, 1)
    if (!next) return
    change(waitingOf, next.network, -1)
    count(next.network, 1)
    next.start()
  }

  return {
    enter: async (network = null) => {
      if (mayRun(network)) count(network, 1)
      else {
        assertRoom(network)
        change(waitingOf, network, 1)
        await new Promise((resolve) => queue.waiting.push({ network, start: () => resolve(undefined) }))
      }
      return () => leave(network)
    },
  }
}

/**
 * Answers a request for which no place was left: a call with JSON like every other error, and a page with a sentence.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 */
export function sendBusy(request, response) {
  const text = "We're very busy right now. Please try again in a few seconds."
  response.setHeader('Retry-After', String(RETRY_SECONDS))
  if (request.url?.startsWith('/api/')) return sendRefusal(response, 503, { code: 'BUSY', text })
  response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }).end(text)
}
