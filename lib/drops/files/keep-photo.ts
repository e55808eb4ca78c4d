import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { toLine } from '@/lib/kernel/text'
import { platformError } from '@/lib/platform/messages'
import { KEEP_PHOTO_MS, MAX_KEPT_PHOTOS } from '@/lib/uploads/rules'
import type { KeptPhoto } from '@/lib/uploads/view'
import { discardObjects, rememberObjects } from '@/lib/uploads/claim-objects'
import { dropError } from '../messages'
import type { ReceivedFile } from './store-file'
import { assertPhoto } from './store-photos'

/** Keys that begin like this belong to photos that no drop uses yet. */
const INCOMING = 'incoming/'

/** The most bytes of all unused photos together. */
const MAX_KEPT_BYTES = 5 * 1024 ** 3

/**
 * Refuses another photo while the unused photos of all sellers together take up all the space that they may use. When
 * one seller has as many as allowed, the oldest is deleted. A crop or another photo has usually replaced it.
 * @throws TOO_MANY_REQUESTS
 */
export async function assertMayKeepPhoto(ctx: Context<UserActor>): Promise<void> {
  const unused = { claimedAt: null, key: { startsWith: INCOMING } }
  const { _sum: all } = await ctx.db.storedObject.aggregate({ where: unused, _sum: { bytes: true } })
  if ((all.bytes ?? 0n) >= MAX_KEPT_BYTES) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds: 600 })
  const kept = await ctx.db.storedObject.findMany({
    where: { ...unused, ownerId: ctx.actor.userId },
    orderBy: [{ createdAt: 'desc' }, { key: 'desc' }],
    skip: MAX_KEPT_PHOTOS - 1,
    select: { key: true },
  })
  await discardObjects(
    ctx,
    kept.map(({ key }) => key),
  )
}

/**
 * Keeps a photo that the browser sends while the seller is still filling in the form. The form names the photo by its
 * key (docs/product.md#photos-before-the-form). The sweep removes a photo that no form uses.
 * @throws NO_IMAGES, BAD_IMAGE
 */
export async function keepPhoto(
  ctx: Context<UserActor>,
  photo: Omit<ReceivedFile, 'storedAs'> | undefined,
): Promise<KeptPhoto> {
  if (!photo) throw dropError('NO_IMAGES')
  await assertPhoto(photo)
  const key = `${INCOMING}${newId('i')}`
  const keepUntil = new Date(ctx.clock.now().getTime() + KEEP_PHOTO_MS)
  // The row is written before the bytes, so that the sweep finds what a crash leaves behind.
  const fileName = toLine(photo.fileName).slice(0, 255)
  await rememberObjects(ctx, [{ key, bytes: photo.bytes, fileName, keepUntil }])
  await storage().adopt(key, photo.path)
  return { key }
}
