import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { uploadError } from './messages'

/** An object that is about to be stored. */
type NewObject = {
  key: string
  bytes: number
  sha256?: string | null
  /** The name of a file that its owner sent before the form that will use it. */
  fileName?: string
  /** Until when the sweep keeps the object although no row claims it. */
  keepUntil?: Date
}

/** Records the objects before their bytes are stored, so that the sweep can find and remove them after a crash. */
export async function rememberObjects(ctx: Context<UserActor>, objects: readonly NewObject[]): Promise<void> {
  await ctx.db.storedObject.createMany({ data: objects.map((object) => ({ ...object, ownerId: ctx.actor.userId })) })
}

/**
 * Records an object that can be made again at any time and belongs to nobody. The sweep removes it after `keepUntil`.
 * When two processes make the same object, both calls succeed.
 */
export async function rememberCopy(
  ctx: Context,
  { key, bytes, keepUntil }: { key: string; bytes: number; keepUntil: Date },
): Promise<void> {
  await ctx.db.storedObject.upsert({
    where: { key },
    create: { key, bytes, keepUntil },
    update: { bytes, keepUntil },
  })
}

/**
 * Keeps the sweep away from objects that are not claimed yet because the rest of their form is still being processed.
 */
export async function renewObjects(ctx: Context, keys: readonly string[]): Promise<void> {
  const renewed = { createdAt: ctx.clock.now() }
  await ctx.db.storedObject.updateMany({ where: { key: { in: [...keys] } }, data: renewed })
}

/**
 * Marks objects as used by the row that is written in the same transaction, so that the sweep does not remove them.
 * @throws UPLOAD_GONE when the sweep has already removed one of them, or another row uses it.
 */
export async function claimObjects(tx: Context, keys: string[], claimedAt: Date): Promise<void> {
  const claimed = await tx.db.storedObject.updateMany({
    where: { key: { in: keys }, claimedAt: null },
    data: { claimedAt },
  })
  if (claimed.count !== keys.length) throw uploadError('UPLOAD_GONE')
}

/** Marks objects as unused. Their bytes stay until discardObjects() or the sweep removes them. */
export async function releaseObjects(tx: Context, keys: string[]): Promise<void> {
  await tx.db.storedObject.updateMany({ where: { key: { in: keys } }, data: { claimedAt: null } })
}

/** Marks all objects of a user in one folder of the storage as unused, such as `profiles`. */
export async function releaseFolder(tx: Context, ownerId: number, folder: string): Promise<void> {
  await tx.db.storedObject.updateMany({
    where: { ownerId, key: { startsWith: `${folder}/` } },
    data: { claimedAt: null },
  })
}

/** Removes objects that no row has claimed. If this fails, the sweep removes them later. */
export async function discardObjects(ctx: Context, keys: string[]): Promise<void> {
  try {
    const unclaimed = await ctx.db.storedObject.findMany({ where: { key: { in: keys }, claimedAt: null } })
    await Promise.all(unclaimed.map(({ key }) => storage().remove(key)))
    await ctx.db.storedObject.deleteMany({ where: { key: { in: keys }, claimedAt: null } })
  } catch (error) {
    ctx.log.warn({ cause: String(error) }, 'unused objects could not be removed; the sweep will remove them')
  }
}
