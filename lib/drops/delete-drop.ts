import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { photoFileKeys } from '@/lib/infra/images'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { discardObjects, releaseObjects } from '@/lib/uploads/claim-objects'
import { assertNotAnnounced } from './start/assert-not-announced'
import { lockOwnDrop } from './guards'
import { hideDrops } from './hide-drops'
import { dropError } from './messages'

/**
 * Deletes a drop with its files. A drop that ever had an order or a review is hidden instead. It is kept for its buyers
 * and for accounting (docs/product.md#deleting-a-drop). So is a drop that followers were emailed about today, because
 * its notices count toward the seller's emails of the day, and recall those that are still queued.
 * @throws NOT_FOUND, IN_CHECKOUT, START_ANNOUNCED
 */
export async function deleteDrop(ctx: Context<UserActor>, { dropId }: { dropId: number }): Promise<void> {
  const files = await transaction(ctx, async (tx) => {
    const drop = await lockOwnDrop(tx, { dropId, sellerId: ctx.actor.userId })
    // Holding a unit updates the drop's row, which is locked here, so no checkout can begin meanwhile.
    if (drop.held > 0) throw dropError('IN_CHECKOUT')
    await recallStartMails(tx, [dropId])
    await assertNotAnnounced(tx, drop)
    if (await isKept(tx, dropId)) {
      await hideDrops(tx, [dropId])
      return []
    }
    const keys = await filesOf(tx, dropId)
    await tx.db.drop.delete({ where: { id: dropId } })
    // From here on no drop owns these objects. They are removed below, or by the sweep if that fails.
    await releaseObjects(tx, keys)
    return keys
  })
  await discardObjects(ctx, files)
}

async function isKept(tx: Context, dropId: number): Promise<boolean> {
  const [order, review] = [
    await tx.db.order.findFirst({ where: { dropId }, select: { id: true } }),
    await tx.db.moderationReview.findFirst({ where: { dropId }, select: { id: true } }),
  ]
  return order !== null || review !== null || (await isAnnouncedToday(tx, dropId))
}

/** Whether followers were emailed about the drop within the last day, or are going to be. */
async function isAnnouncedToday({ sql }: Context, dropId: number): Promise<boolean> {
  const rows = await sql(
    'notices-of-today',
    `SELECT 1 FROM "FollowerNotice" WHERE "dropId" = :dropId AND "createdAt" > now() - interval '1 day' LIMIT 1`,
    { dropId },
  )
  return rows.length > 0
}

async function filesOf(tx: Context, dropId: number): Promise<string[]> {
  const images = await tx.db.dropImage.findMany({ where: { dropId } })
  const file = await tx.db.digitalFile.findUnique({ where: { dropId } })
  const pictures = images.flatMap(photoFileKeys)
  return file?.storageKey ? [...pictures, file.storageKey] : pictures
}
