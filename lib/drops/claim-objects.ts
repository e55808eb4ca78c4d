import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { uploadError } from '@/lib/uploads/messages'

/** Records the objects before their bytes are stored, so that the sweep can find and remove them after a crash. */
export async function rememberObjects(
  ctx: Context<UserActor>,
  objects: { key: string; bytes: number; sha256?: string | null }[],
): Promise<void> {
  await ctx.db.storedObject.createMany({ data: objects.map((object) => ({ ...object, ownerId: ctx.actor.userId })) })
}

/**
 * Marks objects as used by the drop that is written in the same transaction, so that the sweep does not remove them.
 * @throws UPLOAD_GONE when the sweep has already removed one of them, or another drop uses it.
 */
export async function claimObjects(tx: Context, keys: string[], claimedAt: Date): Promise<void> {
  const claimed = await tx.db.storedObject.updateMany({
    where: { key: { in: keys }, claimedAt: null },
    data: { claimedAt },
  })
  if (claimed.count !== keys.length) throw uploadError('UPLOAD_GONE')
}

/** Removes objects that no drop has claimed. If this fails, the sweep removes them later. */
export async function discardObjects(ctx: Context, keys: string[]): Promise<void> {
  try {
    const unclaimed = await ctx.db.storedObject.findMany({ where: { key: { in: keys }, claimedAt: null } })
    await Promise.all(unclaimed.map(({ key }) => storage().remove(key)))
    await ctx.db.storedObject.deleteMany({ where: { key: { in: keys }, claimedAt: null } })
  } catch (error) {
    ctx.log.warn({ cause: String(error) }, 'unused objects could not be removed; the sweep will remove them')
  }
}
