import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'

/** The read that runs for a key, and the read that begins when it has ended; null while nobody waits for one. */
type Reads = { running: Promise<unknown>; next: Promise<unknown> | null }

const readsByKey = processState('shared-reads', () => new Map<string, Reads>())

/**
 * Reads something that many callers want at the same moment, such as the drop that a crowd wants to buy. While a read
 * with the same key runs, later callers wait and then share the next one. Each caller therefore gets the result of a
 * read that began after its call, as if it had read alone, and a crowd costs two reads instead of one for each caller.
 * All callers share the result, so none of them may change it. Do not use it inside a transaction, whose own changes
 * the shared read would not see.
 * @throws whatever `read` throws, for every caller that shares it
 */
export function sharedRead<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
  const known = readsByKey.get(key) as { running: Promise<Value>; next: Promise<Value> | null } | undefined
  if (!known) return begin(key, read)
  known.next ??= known.running.then(
    () => begin(key, read),
    () => begin(key, read),
  )
  return known.next
}

function begin<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
  const running = read()
  const reads: Reads = { running, next: null }
  readsByKey.set(key, reads)
  const end = () => {
    // The next read replaces this entry as soon as it begins.
    if (!reads.next) readsByKey.delete(key)
  }
  running.then(end, end)
  return running
}
