import 'server-only'
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import { isStorageUnavailable } from '@/lib/infra/storage/driver'
import { temporaryFolder } from '@/lib/infra/temporary-folder'
import { eachUntilOutage } from '@/lib/infra/each-until-outage'
import { MINUTE_MS } from '@/lib/kernel/time'

/**
 * An unclaimed object or an upload that was not updated for this long is left over, for example from a crash, because
 * one in use is updated far more often. Together with the scheduler's interval, leftovers are normally removed within
 * ten minutes.
 */
const STALE_MS = 8 * MINUTE_MS

/**
 * Removes stored objects that no row claims, for example after a crash or when a drop no longer uses them, and partly
 * received uploads.
 * @returns how many stored objects were found.
 */
export async function sweepOrphans(ctx: Context): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - STALE_MS)
  const orphans = await ctx.sql<{ key: string }>(
    'orphan-objects',
    `SELECT "key" FROM "StoredObject"
      WHERE "claimedAt" IS NULL AND "createdAt" < now() - :staleMs * interval '1 ms' AND COALESCE("keepUntil" < now(), true)
      ORDER BY random() LIMIT 500`,
    { staleMs: STALE_MS },
  )
  await allOf([removeOrphans(ctx, orphans), removeUploads(before), storage().removeUnfinished(before)])
  return orphans.length
}

/** Removes the objects. The storage may always fail on one of them, which then does not keep the others. */
async function removeOrphans(ctx: Context, orphans: readonly { key: string }[]): Promise<void> {
  await eachUntilOutage(orphans, ({ key }) => removeOrphan(ctx, key)).catch((error: unknown) => {
    // The rows of the remaining objects stay for the next run. The jobs after the sweep must not wait for a storage
    // that is not available.
    if (!isStorageUnavailable(error)) throw error
    ctx.log.warn(
      { cause: String(error) },
      'the storage is unavailable; the next sweep will remove the remaining orphans',
    )
  })
}

/** Removes the partly received uploads of this machine that nobody has continued since then. */
async function removeUploads(before: Date): Promise<void> {
  const folder = temporaryFolder()
  const names = await readdir(folder).catch(() => [])
  await allOf(
    names.map(async (name) => {
      const upload = path.join(folder, name)
      if ((await lastWritten(upload)) < before.getTime()) await rm(upload, { recursive: true, force: true })
    }),
  )
}

/** Waits for all steps, and then throws the error of the first one that failed. */
async function allOf(steps: readonly Promise<void>[]): Promise<void> {
  for (const step of await Promise.allSettled(steps)) if (step.status === 'rejected') throw step.reason
}

/**
 * Deletes the bytes of an object while its row is locked. A drop that claims the object at this moment therefore waits
 * and then finds that the object is gone, and is not published without it.
 */
async function removeOrphan(ctx: Context, key: string): Promise<void> {
  await sqlTransaction(ctx, async (tx) => {
    const deleted = await tx.sql(
      'remove-orphan',
      `DELETE FROM "StoredObject" WHERE "key" = :key AND "claimedAt" IS NULL AND "createdAt" < now() - :staleMs * interval '1 ms'
          AND COALESCE("keepUntil" < now(), true) RETURNING "key"`,
      { key, staleMs: STALE_MS },
    )
    if (deleted.length > 0) await storage().remove(key)
  })
}

/**
 * Returns when anything in an upload's folder was last written, in ms, so that an upload that has just ended is kept.
 * Returns infinity when the folder is gone.
 */
async function lastWritten(folder: string): Promise<number> {
  const inside = await readdir(folder).catch(() => [])
  const times = [folder, ...inside.map((name) => path.join(folder, name))].map((file) =>
    stat(file).then(
      (info) => info.mtimeMs,
      () => 0,
    ),
  )
  const newest = Math.max(...(await Promise.all(times)))
  return newest === 0 ? Number.POSITIVE_INFINITY : newest
}
