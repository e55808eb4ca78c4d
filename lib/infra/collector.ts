import 'server-only'
import { SECOND_MS } from '@/lib/kernel/time'
import { isDatabaseUnavailable } from './database-errors'
import { type Database, database } from './db'
import { log } from './log'

type Pending<Item> = { items: Map<string, Item>; timer: NodeJS.Timeout | null }

const shared = globalThis as unknown as { lastcallCollectors?: Map<string, Pending<unknown>> }

/**
 * Gathers frequent events for a second and writes them as one batch, so that requests do not wait for a lock on the
 * same row. Events that a crashing process still holds are lost, so it is only for counting.
 * @param write gets each key once, and the database outside of any transaction.
 */
export function collector<Item>(name: string, write: (database: Database, items: Item[]) => Promise<void>) {
  const pending = (): Pending<Item> => {
    const all = (shared.lastcallCollectors ??= new Map<string, Pending<unknown>>())
    const known = all.get(name) as Pending<Item> | undefined
    if (known) return known
    const fresh: Pending<Item> = { items: new Map(), timer: null }
    all.set(name, fresh)
    return fresh
  }
  /** One item that the database refuses must not lose those of everybody else in the same second. */
  const writeAll = async (items: Item[]): Promise<void> => {
    try {
      await write(database(), items)
    } catch (error) {
      if (items.length === 1 || isDatabaseUnavailable(error)) throw error
      for (const item of items) await writeAll([item]).catch((cause: unknown) => lost(cause))
    }
  }
  const lost = (error: unknown) => log().error({ err: String(error), collector: name }, 'collected events not written')
  /** Writes what was gathered; called by the timer and when the process stops. */
  const flush = async (): Promise<void> => {
    const state = pending()
    if (state.timer) clearTimeout(state.timer)
    state.timer = null
    if (state.items.size === 0) return
    const items = [...state.items.values()]
    state.items.clear()
    await writeAll(items)
  }
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
