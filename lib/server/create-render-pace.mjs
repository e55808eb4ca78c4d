/**
 * The longest rest between two renderings of one page. A visitor who needs the newest page waits this much longer at
 * most.
 */
const MOST_REST_MS = 250
/** A rendering that hangs must not keep the next one waiting for longer. */
const MOST_WAIT_MS = 1_000

/**
 * Lets renderings of the same page begin one after the other, each after a rest that is as long as the rendering before
 * it took. A crowd buys a hundred units a second, and every sale changes the page. Without the rests, the page would be
 * rendered again after every sale, which takes the whole processor, and everyone, including buyers, would wait for
 * seconds.
 * @returns {{ enter: (key: string) => Promise<() => void> }} `enter` waits until a rendering of the page with this
 *   cache key may begin, and returns the function that has to be called when it has ended. Only one rendering of a page
 *   may wait.
 */
export function createRenderPace() {
  /** @type {Map<string, Promise<void>>} when the next rendering of a page may begin, by cache key */
  const turns = new Map()
  return {
    enter: async (key) => {
      const before = turns.get(key)
      if (before) await atMost(MOST_WAIT_MS, before)
      const startedAt = performance.now()
      /** @type {() => void} */
      let end = () => {}
      /** @type {Promise<void>} */
      const turn = new Promise((resolve) => (end = resolve))
      turns.set(key, turn)
      return () => {
        setTimeout(
          () => {
            if (turns.get(key) === turn) turns.delete(key)
            end()
          },
          Math.min(performance.now() - startedAt, MOST_REST_MS),
        )
      }
    },
  }
}

/**
 * Waits for a promise that is never rejected, but not longer than this.
 * @param {number} ms
 * @param {Promise<void>} promise
 * @returns {Promise<void>}
 */
async function atMost(ms, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([promise, late])
  clearTimeout(timer)
}
