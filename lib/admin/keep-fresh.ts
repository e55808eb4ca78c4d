import 'server-only'
import type { Log } from '@/lib/infra/log'

/** Counting that takes less than this is done for every request, and is exact. */
const CHEAP_MS = 30
/** Once or twice it may be the machine that is slow, or a connection that is opened. */
const SLOW_IN_A_ROW = 3
/** Beyond it a count serves for so long at least, and for so many times as long as it took: counting is never the main work. */
const SERVES_MS = 10_000
const SERVES_TIMES = 30

type Kept = {
  last?: { value: unknown; tookMs: number; atMs: number }
  slowInARow: number
  underWay?: Promise<unknown> | undefined
}

const shared = globalThis as unknown as { lastcallFigures?: Map<string, Kept> }

/**
 * A figure that is exact while it is cheap to count, and with millions of rows at most some seconds old, so that the panel
 * answers as fast as on its first day. One count at a time, whoever asks.
 */
export async function keepFresh<Value>(log: Log, name: string, count: () => Promise<Value>): Promise<Value> {
  const figures = (shared.lastcallFigures ??= new Map<string, Kept>())
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
