import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { lockOwnDrop } from './guards'
import { recapMail } from './mails'
import { dropError } from './messages'
import { getSellerDrop } from './queries'
import { isOver } from './rules'
import type { DropRow } from './view'

/**
 * Ends a drop before its time: archived at once, its 24 hours until a relaunch begin now. Who is paying may finish
 * (DECISIONS 5, 17).
 * @throws NOT_FOUND, ENDED
 */
export async function endDrop(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<DropRow> {
  const sellerId = ctx.actor.userId
  await ctx.db.$transaction(async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId })
    if (isOver(drop, drop.now)) throw dropError('ENDED')
    const endTime = drop.now
    await tx.drop.update({ where: { id: dropId }, data: { endTime, archivedAt: endTime, isActive: false } })
    // Nothing is renewed that its seller ended.
    await tx.dropRun.updateMany({ where: { dropId, run: drop.run }, data: { endTime } })
    const run = await tx.dropRun.findUnique({ where: { dropId_run: { dropId, run: drop.run } } })
    const seller = await tx.user.findUniqueOrThrow({ where: { id: sellerId } })
    if (!seller.emailNotifications) return
    const views = drop.views - (run?.viewsBefore ?? 0)
    await tx.outboxMail.createMany({ data: [recapMail({ ...drop, endTime, views }, seller)], skipDuplicates: true })
  })
  return getSellerDrop(dropId, sellerId)
}
