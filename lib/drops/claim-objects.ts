import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'

/** Written before the bytes, so that a crash in between leaves a trace the sweep can follow. */
export async function rememberObjects(
  ctx: Context<UserActor>,
  objects: { key: string; bytes: number; sha256?: string | null }[],
): Promise<void> {
  await ctx.db.storedObject.createMany({ data: objects.map((object) => ({ ...object, ownerId: ctx.actor.userId })) })
}

/** Ties objects to the drop that is written in the same transaction: from here the sweep leaves them alone. */
export async function claimObjects(tx: Context, keys: string[], claimedAt: Date): Promise<void> {
  const claimed = await tx.db.storedObject.updateMany({ where: { key: { in: keys } }, data: { claimedAt } })
  if (claimed.count !== keys.length) throw new Error('an object was swept before its drop was written')
}

/** Removes what no drop has claimed; when even that fails the sweep does it. */
export async function discardObjects(ctx: Context, keys: string[]): Promise<void> {
  try {
    const unclaimed = await ctx.db.storedObject.findMany({ where: { key: { in: keys }, claimedAt: null } })
    await Promise.all(unclaimed.map(({ key }) => storage().remove(key)))
    await ctx.db.storedObject.deleteMany({ where: { key: { in: keys }, claimedAt: null } })
  } catch (error) {
    ctx.log.warn({ cause: String(error) }, 'objects left to the sweep')
  }
}
