import 'server-only'
import type { Drop } from '@prisma/client'
import type { Context } from '@/lib/infra/context'

/** The fields of an existing drop that may change, apart from its stock and its texts. */
export type DropLifeChange = Partial<
  Pick<Drop, 'endTime' | 'archivedAt' | 'hiddenAt' | 'isActive' | 'isFeatured' | 'isPinned' | 'moderation'>
>

/**
 * Changes the state of one drop in the caller's transaction: ends it, pauses it, extends it, restores it or promotes
 * it. The current run gets the same end as its drop. A change of `endTime` or `archivedAt` cancels the planned
 * auto-renew. An extended drop gets a new renewal date from the archive job when it is over; a drop that is archived here
 * gets none. The caller must hold a lock on the drop's row.
 */
export async function changeDrop(
  tx: Context,
  drop: Pick<Drop, 'id' | 'run' | 'endTime'>,
  change: DropLifeChange,
): Promise<void> {
  await tx.db.drop.update({ where: { id: drop.id }, data: change })
  if (change.endTime === undefined && change.archivedAt === undefined) return
  await tx.db.dropRun.updateMany({
    where: { dropId: drop.id, run: drop.run },
    data: { endTime: change.endTime ?? drop.endTime, renewDueAt: null },
  })
}
