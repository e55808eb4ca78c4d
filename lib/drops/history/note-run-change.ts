import 'server-only'
import type { Context } from '@/lib/infra/context'
import { dropError } from '../messages'
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
 * How often a seller may change the times and units of one run. Every reader of the drop gets the sum of all changes,
 * so their number is limited.
 */
const MOST_CHANGES = 200
/** How often a seller may move the start of one run. Each move emails everyone who waits for the start again. */
const MOST_MOVES = 10

/**
 * Records a change of a run's times or units in the transaction that makes the change
 * (docs/product.md#history-of-a-drop). Values that did not change are not recorded. Call it with the drop's row locked.
 * @throws CHANGED_OFTEN, MOVED_OFTEN when the seller has made as many changes of this run as allowed
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
  if (Object.keys(changed).length === 0) return
  if (authorId !== null && !UNLIMITED_REASONS.includes(reason))
    await assertFewChanges(tx, { dropId, run, authorId, reason })
  await tx.db.runChange.create({ data: { dropId, run, reason, authorId, ...changed } })
}

/** Changes that must always be possible: ending a drop, and what the platform does to it. */
const UNLIMITED_REASONS: readonly RunChangeReason[] = [
  'ended',
  'withdrawn',
  'extended',
  'outage',
  'restored',
  'reviewed',
]

async function assertFewChanges(
  tx: Context,
  { reason, ...by }: { dropId: number; run: number; authorId: number; reason: RunChangeReason },
): Promise<void> {
  if ((await tx.db.runChange.count({ where: by })) >= MOST_CHANGES) throw dropError('CHANGED_OFTEN')
  if (reason !== 'rescheduled') return
  if ((await tx.db.runChange.count({ where: { ...by, reason } })) >= MOST_MOVES) throw dropError('MOVED_OFTEN')
}

function moved(what: 'start' | 'end', times: [Date, Date] | undefined) {
  if (!times || times[0].getTime() === times[1].getTime()) return {}
  return { [`${what}Before`]: times[0], [`${what}After`]: times[1] }
}
