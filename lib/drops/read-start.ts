import 'server-only'
import type { Context } from '@/lib/infra/context'
import { dropError } from './messages'
import { readStartTime, startProblem } from './start-rules'

/**
 * When a drop starts whose seller typed `typed`, or nothing for now. The database's clock decides what has passed, as it does
 * when a unit is held.
 * @throws START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR
 */
export async function readStart(tx: Context, typed: string | undefined, timeZone: string): Promise<Date> {
  const [clock] = await tx.db.$queryRaw<{ now: Date }[]>`SELECT now() AS "now"`
  const now = clock?.now ?? tx.clock.now()
  if (typed === undefined) return now
  const start = readStartTime(typed, timeZone)
  if ('problem' in start) throw dropError(start.problem === 'skipped' ? 'START_SKIPPED' : 'START_INVALID')
  const problem = startProblem(start.at, now)
  if (problem) throw dropError(problem === 'past' ? 'START_PAST' : 'START_TOO_FAR')
  return start.at
}
