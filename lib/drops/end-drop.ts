import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { queueMail } from '@/lib/notifications/queue-mail'
import { changeDrop } from './change-drop'
import { isBeforeStart } from './change-scheduled'
import { runDiscountSql } from './code-queries'
import { lockOwnDrop } from './guards'
import { recapMail } from './mails'
import { dropError } from './messages'
import { getSellerDrop } from './queries'
import { isOver } from './rules'
import type { DropRow } from './view'

/**
 * Ends a drop early: it is archived at once, and the 24 hours until a relaunch begin now. Buyers who are paying may
 * finish (docs/product.md#paid-too-late). A scheduled drop ends before it starts: its start is cancelled, and there is
 * nothing to sum up (docs/product.md#scheduled-start).
 * @throws NOT_FOUND, ENDED
 */
export async function endDrop(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<DropRow> {
  const sellerId = ctx.actor.userId
  await transaction(ctx, async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId })
    if (isOver(drop, drop.now)) throw dropError('ENDED')
    await recallStartMails(tx, { dropIds: [dropId] })
    const isAhead = await isBeforeStart(tx, drop)
    // The transaction may have begun before the start and have waited for the row beyond it: then the drop ran for a moment.
    const endTime = isAhead || drop.now > drop.startedAt ? drop.now : new Date(drop.startedAt.getTime() + 1)
    await changeDrop(tx, drop, { endTime, archivedAt: endTime, isActive: false })
    const run = await tx.db.dropRun.findUnique({ where: { dropId_run: { dropId, run: drop.run } } })
    const seller = await tx.db.user.findUniqueOrThrow({ where: { id: sellerId } })
    if (!seller.emailNotifications || isAhead) return
    const views = drop.views - (run?.viewsBefore ?? 0)
    const [discount] = await tx.sql<{ discountedCents: number }>(
      'run-discount',
      `SELECT ${runDiscountSql('d')} AS "discountedCents" FROM "Drop" d WHERE d."id" = :dropId`,
      { dropId },
    )
    const facts = { ...drop, endTime, views, discountedCents: discount?.discountedCents ?? 0 }
    await queueMail(tx, [recapMail(facts, seller, ctx.appUrl)])
  })
  return getSellerDrop(ctx, dropId, sellerId)
}
