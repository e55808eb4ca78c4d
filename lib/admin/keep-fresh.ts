import 'server-only'
import type { Log } from '@/lib/infra/log'
import { processState } from '@/lib/kernel/process-state.mjs'

/** A count that takes at most this time is cheap. */
const CHEAP_MS = 30
/**
 * A figure is cached only after this many slow counts in a row, because a busy machine or a new connection can make a
 * single count slow.
 */
const SLOW_IN_A_ROW = 3
/**
 * Once a figure is cached, its last count is reused for this long, or for this multiple of its own duration when that
 * is longer. Counting therefore never becomes the main load.
 */
const SERVES_MS = 10_000
const SERVES_TIMES = 30

type Kept = {
  last?: { value: unknown; tookMs: number; atMs: number }
  slowInARow: number
  underWay?: Promise<unknown> | undefined
}

const figures = processState('figures', () => new Map<string, Kept>())

/**
 * Returns a figure that is counted in the database, and caches it when counting is slow. Until several counts in a row
 * were slow, every request waits for a count, so the figure is exact. After that, requests get the last count right
 * away, so that the panel stays fast. A request that finds the last count too old starts a new one in the background,
 * for later requests. A process never runs two counts of a figure at the same time, so simultaneous requests get the
 * same count.
 * @throws what `count` throws, except in the background, where the error is logged.
 */
export async function keepFresh<Value>(log: Log, name: string, count: () => Promise<Value>): Promise<Value> {
  const kept: Kept = figures.get(name) ?? { slowInARow: 0 }
  figures.set(name, kept)
  const renew = () =>
    (kept.underWay ??= timed(count)
      .then((last) => {
        kept.last = last
        kept.slowInARow = last.tookMs <= CHEAP_MS ? 0 : kept.slowInARow + 1
      })
      .finally(() => (kept.underWay = undefined)))
  const { last } = kept
  if (!last || kept.slowInARow < SLOW_IN_A_ROW) {
    await renew()
    return kept.last?.value as Value
  }
  if (performance.now() - last.atMs > Math.max(SERVES_MS, SERVES_TIMES * last.tookMs)) {
    renew().catch((error: unknown) => log.warn({ name, cause: String(error) }, 'a figure could not be counted'))
  }
  return last.value as Value
}

async function timed<Value>(count: () => Promise<Value>) {
  const startedMs = performance.now()
  const value = await count()
  const atMs = performance.now()
  return { value, tookMs: atMs - startedMs, atMs }
}
