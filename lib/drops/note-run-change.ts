import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { RunChangeReason } from './history-rules'
import type { ValueChange } from './history-view'

type Change = {
  reason: RunChangeReason
  /** The times and the units before and after the change. */
  start?: [before: Date, after: Date]
  end?: [before: Date, after: Date]
  units?: [before: number, after: number]
  /** The values of the option that changed. The sum of their units may have stayed the same. */
  values?: ValueChange[]
}

/** Returns when a drop ends or ended: at its end time, or when it was taken off sale before that. */
export function effectiveEnd({ endTime, archivedAt }: { endTime: Date; archivedAt: Date | null }): Date {
  return archivedAt !== null && archivedAt < endTime ? archivedAt : endTime
}

/**
 * Records a change of a run's times or units in the transaction that makes the change
 * (docs/product.md#history-of-a-drop). Values that did not change are not recorded.
 */
export async function noteRunChange(
  tx: Context,
  { id: dropId, run }: { id: number; run: number },
  { reason, start, end, units, values = [] }: Change,
): Promise<void> {
  const authorId = tx.actor.kind === 'user' ? tx.actor.userId : null
  const times = { ...moved('start', start), ...moved('end', end) }
  const count = units && units[0] !== units[1] ? { unitsBefore: units[0], unitsAfter: units[1] } : {}
  const changed = { ...times, ...count, ...(values.length > 0 ? { values } : {}) }
  if (Object.keys(changed).length > 0)
    await tx.db.runChange.create({ data: { dropId, run, reason, authorId, ...changed } })
}

function moved(what: 'start' | 'end', times: [Date, Date] | undefined) {
  if (!times || times[0].getTime() === times[1].getTime()) return {}
  return { [`${what}Before`]: times[0], [`${what}After`]: times[1] }
}
