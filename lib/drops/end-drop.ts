import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { changeDrop } from './change-drop'
import { isBeforeStart } from './change-scheduled'
import { earlyOpensAt } from './early-rules'
import { lockOwnDrop } from './guards'
import { dropError } from './messages'
import { getSellerDrop } from './queries'
import { isOver } from './rules'
import type { DropRow } from './view'

/**
 * Ends a drop early. The drop is archived right away, the 24 hours before a relaunch begin now, and a seller who has not
 * turned emails off gets a recap. Buyers who are paying may finish (docs/product.md#paid-too-late). Ending a scheduled
 * drop cancels its start, and no recap is emailed (docs/product.md#scheduled-start). During early access the drop ends,
 * and a recap is emailed if followers bought or are paying.
 * @throws NOT_FOUND, ENDED
 */
export async function endDrop(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<DropRow> {
  const sellerId = ctx.actor.userId
  await transaction(ctx, async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId })
    if (isOver(drop, drop.now)) throw dropError('ENDED')
    await recallStartMails(tx, { dropIds: [dropId] })
    const isAhead = await isBeforeStart(tx, drop)
    const isEarly = drop.startedAt > drop.now && (earlyOpensAt(drop) ?? drop.startedAt) <= drop.now
    // The transaction may have begun before the start and waited for the row's lock until after it. The drop then ran
    // for a moment, so its end is set after its start.
    const endTime = isAhead || isEarly || drop.now > drop.startedAt ? drop.now : new Date(drop.startedAt.getTime() + 1)
    await changeDrop(tx, drop, { endTime, archivedAt: endTime, isActive: false }, 'ended')
    if (isAhead || (isEarly && drop.sold + drop.held === 0)) return
    await tx.db.dropRun.updateMany({ where: { dropId, run: drop.run }, data: { recapDueAt: endTime } })
  })
  return getSellerDrop(ctx, dropId, sellerId)
}
