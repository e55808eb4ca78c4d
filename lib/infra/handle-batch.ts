import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'
import { MINUTE_MS } from '@/lib/kernel/time'
import { isDatabaseUnavailable } from './database-errors'
import type { Log } from './log'

/** For how long a row that cannot be handled is left out. */
const ASIDE_MS = 10 * MINUTE_MS

/** What one transaction handles. */
export type Batch<Id> = {
  /** The highest number of rows. */
  limit: number
  /** The rows that are left out. */
  except: readonly Id[]
  /** Has to be called with the rows, before anything is done that can fail because of one of them. */
  note: (ids: readonly Id[]) => void
}

/**
 * Handles a batch of rows in one transaction. If that fails, each row gets a transaction of its own, and this process
 * leaves out those that fail alone for ten minutes. Otherwise one row that can never be handled, because of a defect or
 * of damaged data, would keep all others waiting forever.
 * @param options.name names the job, for the log
 * @param options.most the highest number of rows of a batch
 * @param options.handle handles a batch in one transaction, and returns how many rows it has handled
 * @returns how many rows were handled
 * @throws when the database is unavailable, when `handle` fails before it has noted its rows, and, after the other rows
 *   were handled, the last error of a row that failed alone, so that the job counts as failed
 */
export async function handleBatch<Id extends string | number>(
  { log }: { log: Log },
  { name, most, handle }: { name: string; most: number; handle: (batch: Batch<Id>) => Promise<number> },
): Promise<number> {
  const aside = processState(`aside-${name}`, () => new Map<Id, number>())
  const run = (limit: number, note: Batch<Id>['note']) => {
    for (const [id, until] of aside) if (until <= performance.now()) aside.delete(id)
    return handle({ limit, except: [...aside.keys()], note })
  }
  try {
    return await run(most, () => {})
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    log.warn({ job: name, cause: String(error) }, 'a batch failed, so its rows are handled one by one')
  }
  let handled = 0
  let failure: unknown
  for (let turn = 0; turn < most; turn += 1) {
    let ids: readonly Id[] = []
    try {
      const count = await run(1, (noted) => (ids = noted))
      if (count === 0) break
      handled += count
    } catch (error) {
      if (ids.length === 0 || isDatabaseUnavailable(error)) throw error
      log.error({ job: name, ids, cause: String(error) }, 'this row could not be handled and is left out for a while')
      for (const id of ids) aside.set(id, performance.now() + ASIDE_MS)
      failure = error
    }
  }
  if (failure) throw failure
  return handled
}
