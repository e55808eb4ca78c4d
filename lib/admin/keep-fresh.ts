import 'server-only'
import type { Log } from '@/lib/infra/log'
import { processState } from '@/lib/kernel/process-state.mjs'

/** A count that takes less time than this is repeated for every request and is exact. */
const CHEAP_MS = 30
/** A single slow count may be caused by a slow machine or a new connection, so several are needed. */
const SLOW_IN_A_ROW = 3
/**
 * A slow count is reused for this long, or for this multiple of its own duration when that is longer, so that counting
 * never becomes the main load.
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
 * Caches a figure that is counted in the database. While counting is cheap, every request counts and the figure is
 * exact. Once counting is slow, requests get the last count at once, so that the panel stays fast. A request that finds
 * it too old starts a new count in the background, for later requests. Only one count of a figure runs at a time in a
 * process.
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
    renew().catch((error: unknown) => log.warn({ name, cause: String(error) }, 'figure not counted'))
  }
  return last.value as Value
}

async function timed<Value>(count: () => Promise<Value>) {
  const startedMs = performance.now()
  const value = await count()
  const atMs = performance.now()
  return { value, tookMs: atMs - startedMs, atMs }
}
