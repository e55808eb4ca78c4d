import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'

/**
 * How many statements on one row run at the same time. One of them has locked the row, while the others travel to the
 * database. Two would be enough for a database on the same machine. Four also keep a database busy that is some
 * milliseconds away.
 */
const AT_ONCE = 4
/** After this wait a statement runs in any case, so that statements that hang cannot hold up the others. */
const WAIT_MS = 1_000

/** How many statements run in the queue, and the functions that start the waiting ones, in the order of arrival. */
type RowQueue = { running: number; waiting: Set<() => void> }

const rows = processState('row-queues', () => new Map<string, RowQueue>())

/**
 * Runs a statement that locks a row which many other statements lock, too. Without the queue, each of them would occupy
 * a connection that only waits, and every change of the row would wake all of them. This can double the cost of a
 * statement (docs/performance.md#the-hot-row). The queue never refuses a statement, and correctness does not depend on
 * it, because other processes have queues of their own. A statement inside a transaction must not use the queue,
 * because the statements ahead of it could wait for the locks of that transaction.
 * @param row names the row, such as `drop-17`
 */
export async function queueForRow<Value>(row: string, statement: () => Promise<Value>): Promise<Value> {
  const queue = rows.get(row) ?? { running: 0, waiting: new Set() }
  rows.set(row, queue)
  if (queue.running < AT_ONCE) queue.running += 1
  else if (!(await ownTurn(queue))) return statement()
  try {
    return await statement()
  } finally {
    const [next] = queue.waiting
    // The next statement takes over this place, so `running` stays as it is.
    if (next) next()
    else queue.running -= 1
    if (queue.running === 0) rows.delete(row)
  }
}

/** Resolves with true when the caller has a place, and with false when it has waited long enough. */
function ownTurn(queue: RowQueue): Promise<boolean> {
  return new Promise((resolve) => {
    const start = () => {
      clearTimeout(limit)
      queue.waiting.delete(start)
      resolve(true)
    }
    const limit = setTimeout(() => {
      queue.waiting.delete(start)
      resolve(false)
    }, WAIT_MS)
    queue.waiting.add(start)
  })
}

/** Returns the total lengths of the row queues of this process, for the metrics. */
export function rowQueueLengths(): { name: string; running: number; waiting: number } {
  const total = { name: 'rows', running: 0, waiting: 0 }
  for (const { running, waiting } of rows.values()) {
    total.running += running
    total.waiting += waiting.size
  }
  return total
}
