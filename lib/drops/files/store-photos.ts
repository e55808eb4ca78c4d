import 'server-only'
import type { Context } from '@/lib/infra/context'
import { type Photo, type PhotoRefusal, processPhoto, refusePhoto } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import type { AppError } from '@/lib/kernel/app-error'
import { discardObjects, rememberObjects, renewObjects } from '@/lib/uploads/claim-objects'
import { dropError, dropTexts } from '../messages'
import type { ReceivedFile } from './store-file'

/**
 * Re-encodes pictures and stores them. No drop claims them yet. If one of them fails, all of them are removed.
 * @throws BAD_IMAGE
 */
export async function storePhotos(
  ctx: Context<UserActor>,
  images: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>[],
): Promise<Photo[]> {
  const photos: Photo[] = []
  try {
    // All headers are checked first, so that no picture is decoded when another one is going to be refused.
    for (const image of images) await assertPhoto(image)
    for (const image of images) {
      const photo = await processPhoto(image.path)
      if (typeof photo === 'string') throw badImage(image, photo)
      const earlier = photoKeys(photos)
      photos.push(photo)
      await rememberObjects(
        ctx,
        photo.files.map((file) => ({ key: file.key, bytes: file.bytes.length })),
      )
      // The next picture may wait until other sellers' pictures are processed. The sweep must not remove the earlier
      // ones meanwhile.
      await renewObjects(ctx, earlier)
      for (const file of photo.files) await storage().put(file.key, file.bytes)
      // The bytes are freed, because the caller keeps the photos until the row is written and needs only their keys.
      photo.files = photo.files.map((file) => ({ key: file.key, bytes: Buffer.alloc(0) }))
    }
    return photos
  } catch (error) {
    await discardObjects(ctx, photoKeys(photos))
    throw error
  }
}

/**
 * Checks a picture by its header.
 * @throws BAD_IMAGE
 */
export async function assertPhoto(image: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>): Promise<void> {
  const refusal = await refusePhoto(image.path)
  if (refusal) throw badImage(image, refusal)
}

function badImage(image: Pick<ReceivedFile, 'field' | 'fileName'>, refusal: PhotoRefusal): AppError {
  const reason = refusal === 'too-many-pixels' ? dropTexts.tooManyPixels : dropTexts.notAnImage
  const name = image.fileName.replace(/[^\p{L}\p{N}._ -]/gu, '').slice(0, 60) || 'This file'
  return dropError('BAD_IMAGE', { text: `${name} ${reason}`, field: image.field })
}

/** Returns the keys under which the sizes of these pictures are stored. */
export function photoKeys(photos: Photo[]): string[] {
  return photos.flatMap((photo) => photo.files.map((file) => file.key))
}
