import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'
import { SECOND_MS } from '@/lib/kernel/time'
import { isDatabaseUnavailable } from './database-errors'
import { type Database, database } from './db'
import { log } from './log'

type Pending<Item> = { items: Map<string, Item>; timer: NodeJS.Timeout | null }

const collectors = processState('collectors', () => new Map<string, Pending<unknown>>())
const flushes = processState('collector-flushes', () => new Map<string, () => Promise<void>>())

/** Writes what all collectors of this process have gathered. A process calls this function before it stops. */
export async function flushCollectors(): Promise<void> {
  await Promise.all([...flushes].map(([name, flush]) => flush().catch((error: unknown) => notWritten(name, error))))
}

/**
 * Gathers frequent events for a second and writes them as one batch, so that requests do not wait for a lock on the
 * same row. Events are lost when the process crashes or the database is unavailable, so use a collector only for
 * counting.
 * @param write receives the last item that was added under each key, and the database outside of any transaction.
 */
export function collector<Item>(name: string, write: (database: Database, items: Item[]) => Promise<void>) {
  const pending = (): Pending<Item> => {
    const known = collectors.get(name) as Pending<Item> | undefined
    if (known) return known
    const fresh: Pending<Item> = { items: new Map(), timer: null }
    collectors.set(name, fresh)
    return fresh
  }
  /** When the database refuses a batch, writes its items one by one, so that one bad item does not lose the others. */
  const writeAll = async (items: Item[]): Promise<void> => {
    try {
      await write(database(), items)
    } catch (error) {
      if (items.length === 1 || isDatabaseUnavailable(error)) throw error
      for (const item of items) await writeAll([item]).catch((cause: unknown) => lost(cause))
    }
  }
  const lost = (error: unknown) => notWritten(name, error)
  /** Writes what this collector has gathered. */
  const flush = async (): Promise<void> => {
    const state = pending()
    if (state.timer) clearTimeout(state.timer)
    state.timer = null
    if (state.items.size === 0) return
    const items = [...state.items.values()]
    state.items.clear()
    await writeAll(items)
  }
  flushes.set(name, flush)
  return {
    add(key: string, item: Item): void {
      const state = pending()
      state.items.set(key, item)
      state.timer ??= setTimeout(() => {
        flush().catch(lost)
      }, SECOND_MS)
    },
    flush,
  }
}

function notWritten(name: string, error: unknown): void {
  log().error({ err: String(error), collector: name }, 'collected events could not be written')
}
