import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'
import { QueueFull } from './bounded-queue'

/** How much work with one key may wait in this process. */
const MOST_WAITING = 200
const RETRY_SECONDS = 2

/** For each key with work under way, the functions that start the waiting work, in the order of arrival. */
const waitingByKey = processState('one-at-a-time', () => new Map<string, (() => void)[]>())

/**
 * Runs work with the same key one after the other in this process. Use it before a transaction that waits for a lock of
 * that key, because each waiting transaction would occupy a connection of the pool. The lock decides; other processes
 * have queues of their own. Do not use it inside a transaction, because the work ahead could wait for the locks of that
 * transaction.
 * @param key names what the work has in common, such as `seller-17`
 * @throws QueueFull when too much work with this key waits
 */
export async function oneAtATime<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
  const waiting = waitingByKey.get(key)
  if (!waiting) waitingByKey.set(key, [])
  else {
    if (waiting.length >= MOST_WAITING) throw new QueueFull(key, RETRY_SECONDS)
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  try {
    return await work()
  } finally {
    const next = waitingByKey.get(key)?.shift()
    if (next) next()
    else waitingByKey.delete(key)
  }
}

/** Returns the total lengths of these queues of this process, for the metrics. */
export function oneAtATimeLengths(): { name: string; running: number; waiting: number } {
  const waiting = [...waitingByKey.values()].reduce((sum, { length }) => sum + length, 0)
  return { name: 'one-at-a-time', running: waitingByKey.size, waiting }
}
