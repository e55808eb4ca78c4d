import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { Tx } from '@/lib/infra/db'
import { photoKey } from '@/lib/infra/images'
import type { UserActor } from '@/lib/kernel/actor'
import { discardObjects } from './claim-objects'
import { lockOwnDrop, type LockedDrop } from './guards'
import { dropError } from './messages'

/**
 * Deletes a drop with its files. One that anybody ever began to buy, or that a person had to look at, is hidden instead
 * and kept for buyers and books (DECISIONS 20).
 * @throws NOT_FOUND, IN_CHECKOUT
 */
export async function deleteDrop(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<void> {
  const files = await ctx.db.$transaction(async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId: ctx.actor.userId })
    // Whoever takes a unit goes through the drop's row, which is locked.
    if (drop.held > 0) throw dropError('IN_CHECKOUT')
    if (await isKept(tx, dropId)) return hideDrop(tx, drop)
    const keys = await filesOf(tx, dropId)
    await tx.drop.delete({ where: { id: dropId } })
    // Nobody's from here: removed below, or by the sweep.
    await tx.storedObject.updateMany({ where: { key: { in: keys } }, data: { claimedAt: null } })
    return keys
  })
  await discardObjects(ctx, files)
}

async function isKept(tx: Tx, dropId: number): Promise<boolean> {
  const [order, review] = [
    await tx.order.findFirst({ where: { dropId }, select: { id: true } }),
    await tx.moderationReview.findFirst({ where: { dropId }, select: { id: true } }),
  ]
  return order !== null || review !== null
}

async function hideDrop(tx: Tx, drop: LockedDrop): Promise<string[]> {
  const archivedAt = drop.archivedAt ?? drop.now
  await tx.drop.update({
    where: { id: drop.id },
    data: { hiddenAt: drop.now, archivedAt, isActive: false, isFeatured: false, isPinned: false, creationKey: null },
  })
  await tx.dropRun.updateMany({ where: { dropId: drop.id, closedAt: null }, data: { closedAt: drop.now } })
  return []
}

async function filesOf(tx: Tx, dropId: number): Promise<string[]> {
  const images = await tx.dropImage.findMany({ where: { dropId } })
  const file = await tx.digitalFile.findUnique({ where: { dropId } })
  const pictures = images.flatMap(({ key, widths }) => widths.map((width) => photoKey(key, width)))
  return file?.storageKey ? [...pictures, file.storageKey] : pictures
}
