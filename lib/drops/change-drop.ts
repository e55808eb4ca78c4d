import 'server-only'
import type { Drop } from '@prisma/client'
import type { Context } from '@/lib/infra/context'

/** What may change about a drop that exists already, beside its stock and its texts. */
export type DropLifeChange = Partial<
  Pick<Drop, 'endTime' | 'archivedAt' | 'hiddenAt' | 'isActive' | 'isFeatured' | 'isPinned' | 'moderation'>
>

/**
 * Changes the life of one drop in the caller's transaction: ends it, gives it more time, brings it back, promotes it. The run
 * ends when its drop does, and a drop whose end moves is not renewed on the old date: the archive sets a new one when it is
 * over. Lock the row first.
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
