import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { uploadError } from './messages'
import { MAX_STORED_BYTES } from './rules'

/**
 * Refuses more files from an account whose stored files take up all the space that it may use. The files of ended drops
 * stay, because their buyers may still download them, so without this limit one account could fill the disk.
 * @throws STORAGE_FULL
 */
export async function assertRoomForFiles(ctx: Context<UserActor>): Promise<void> {
  const stored = await ctx.db.storedObject.aggregate({
    where: { ownerId: ctx.actor.userId },
    _sum: { bytes: true },
  })
  if ((stored._sum.bytes ?? 0n) >= MAX_STORED_BYTES) throw uploadError('STORAGE_FULL')
}
