import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { changeDrop, type DropLifeChange } from './history/change-drop'
import { isBeforeStart } from './start/change-scheduled'
import { earlyOpensAt } from './start/early-rules'
import type { LockedDrop } from './guards'

/**
 * Ends a drop's run in the caller's transaction, for its seller or an administrator. Queued reminders of a start that
 * will not happen are not sent. The seller gets a recap, unless nobody could buy anything yet. Lock the drop's row
 * first, and check that the drop is not over.
 * @param others flags that change at the same time
 */
export async function endRun(tx: Context, drop: LockedDrop, others: DropLifeChange = {}): Promise<void> {
  await recallStartMails(tx, [drop.id])
  const isAhead = await isBeforeStart(tx, drop)
  const isEarly = drop.startedAt > drop.now && (earlyOpensAt(drop) ?? drop.startedAt) <= drop.now
  // The transaction may have begun before the start and waited for the row's lock until after it. The drop then ran
  // for a moment, so its end is set after its start.
  const endTime = isAhead || isEarly || drop.now > drop.startedAt ? drop.now : new Date(drop.startedAt.getTime() + 1)
  await changeDrop(tx, drop, { ...others, endTime, archivedAt: endTime, isActive: false }, 'ended')
  if (isAhead || (isEarly && drop.sold + drop.held === 0)) return
  await tx.db.dropRun.updateMany({ where: { dropId: drop.id, run: drop.run }, data: { recapDueAt: endTime } })
}
