import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { processAvatar } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { keyOfMedia, mediaPath } from '@/lib/kernel/media-path'
import { claimObjects, releaseObjects, rememberObjects } from '@/lib/uploads/claim-objects'
import { lockOwnAccount } from './lock-own-account'
import { accountError } from './messages'

/**
 * Replaces the profile picture with an uploaded one. The picture's row is written before its bytes, so that the sweep
 * finds and deletes the bytes if the process crashes before the picture is claimed.
 * @throws IMAGE_MISSING, NOT_AN_IMAGE, TOO_MANY_PIXELS, QueueFull, UPLOAD_GONE, NOT_SIGNED_IN
 */
export async function setProfileImage(
  ctx: Context<UserActor>,
  files: { path: string; declaredType?: string }[],
): Promise<User> {
  const [file] = files
  if (!file) throw accountError('IMAGE_MISSING')
  // A declared type must start with image/ (docs/product.md#profile-and-picture). A missing type is accepted.
  if (file.declaredType?.startsWith('image/') === false) throw accountError('NOT_AN_IMAGE')
  const avatar = await processAvatar(file.path)
  if (avatar === 'too-many-pixels') throw accountError('TOO_MANY_PIXELS')
  if (typeof avatar === 'string') throw accountError('NOT_AN_IMAGE')
  const { key, bytes } = avatar
  await rememberObjects(ctx, [{ key, bytes: bytes.length }])
  await storage().put(key, bytes)
  return replaceImage(ctx, key)
}

/** Removes the profile picture. Does nothing when there is none. */
export function removeProfileImage(ctx: Context<UserActor>): Promise<User> {
  return replaceImage(ctx, null)
}

function replaceImage(ctx: Context<UserActor>, key: string | null): Promise<User> {
  const { userId } = ctx.actor
  return transaction(ctx, async (tx) => {
    await lockOwnAccount(tx)
    const old = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
    if (key) await claimObjects(tx, [key], ctx.clock.now())
    // The old picture is not deleted right away, because an open page may show it. The sweep deletes unclaimed pictures
    // later.
    if (old.profileImageUrl) await releaseObjects(tx, [keyOfMedia(old.profileImageUrl)])
    return tx.db.user.update({ where: { id: userId }, data: { profileImageUrl: key && mediaPath(key) } })
  })
}
