import 'server-only'
import type { Drop } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import type { RunChangeReason } from './history-rules'
import { effectiveEnd, noteRunChange } from './note-run-change'

/** The fields that changeDrop() can change: times, flags and the moderation status. */
export type DropLifeChange = Partial<
  Pick<Drop, 'endTime' | 'archivedAt' | 'hiddenAt' | 'isActive' | 'isFeatured' | 'isPinned' | 'moderation'>
>

/**
 * Changes the state of one drop in the caller's transaction: ends it, archives it, pauses it, extends it, restores it
 * or promotes it. The current run gets the same end time as its drop. A change of `endTime` or `archivedAt` cancels the
 * planned auto-renew and a recap that is due. When an extended drop has ended, the archive job sets a new renewal date.
 * A drop that is archived here gets no renewal date. The caller must hold a lock on the drop's row.
 * @param reason the reason that buyers read if the end changes (docs/product.md#history-of-a-drop)
 */
export async function changeDrop(
  tx: Context,
  drop: Pick<Drop, 'id' | 'run' | 'endTime' | 'archivedAt'>,
  change: DropLifeChange,
  reason: RunChangeReason,
): Promise<void> {
  await tx.db.drop.update({ where: { id: drop.id }, data: change })
  const { endTime = drop.endTime, archivedAt = drop.archivedAt } = change
  await noteRunChange(tx, drop, { reason, end: [effectiveEnd(drop), effectiveEnd({ endTime, archivedAt })] })
  if (change.endTime === undefined && change.archivedAt === undefined) return
  await tx.db.dropRun.updateMany({
    where: { dropId: drop.id, run: drop.run },
    data: { endTime: change.endTime ?? drop.endTime, renewDueAt: null, recapDueAt: null },
  })
}
