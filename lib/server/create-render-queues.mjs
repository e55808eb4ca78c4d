import { createRenderQueue } from './create-render-queue.mjs'

/**
 * The limits for renderings of shared pages that this process has shown before, such as a live drop after a sale. Each
 * page is rendered at most once at a time, so only the number of pages limits how many wait.
 */
const KNOWN = { atOnce: 16, waiting: 1_000 }
/**
 * The limits for renderings of all other shared pages. Anyone can ask for any number of names, so they must leave room
 * for KNOWN, and one network must leave room for others. After a start every page is unknown; 56 different pages at the
 * same time are more than the visitors of one network ask for.
 */
const UNKNOWN = { atOnce: 8, waiting: 200, perNetwork: { atOnce: 6, waiting: 50 } }
/** How many of the pages that it has shown this process remembers. */
const MOST_KNOWN = 10_000

/**
 * Creates the queues for the renderings of shared pages that are not in memory.
 * @returns {{ enter: (key: string, network?: string | null) => Promise<() => void>, remember: (key: string) => string
 *   }} `enter` waits for a place for the page with this cache key, like the function of a RenderQueue; `remember` has
 *   to be called with the cache key of a page that was shown, and returns the key
 */
export function createRenderQueues() {
  const known = createRenderQueue({ name: 'shared-pages', ...KNOWN })
  const unknown = createRenderQueue({ name: 'unknown-pages', ...UNKNOWN })
  /** @type {Set<string>} the cache keys, starting with the one remembered longest ago */
  const shown = new Set()
  return {
    enter: (key, network) => (shown.has(key) ? known.enter() : unknown.enter(network)),
    remember: (key) => {
      shown.delete(key)
      shown.add(key)
      const [oldest = ''] = shown
      if (shown.size > MOST_KNOWN) shown.delete(oldest)
      return key
    },
  }
}
