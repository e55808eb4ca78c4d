import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recogniseFile } from '@/lib/infra/file-kind'
import { type Photo, processPhoto } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { contentTypeOf, type FileKind } from '@/lib/kernel/file-kind'
import { newId } from '@/lib/kernel/id'
import { dropError, dropTexts } from './messages'
import { safeFileName } from './rules'

/** On this machine, or with `storedAs` its beginning: then the whole is in storage already. */
export type ReceivedFile = {
  field: string
  fileName: string
  path: string
  bytes: number
  /** null when its bytes did not pass through here. */
  sha256: string | null
  storedAs?: string
}

export type StoredFile = Pick<ReceivedFile, 'fileName' | 'bytes' | 'sha256'> & {
  storageKey: string
  contentType: string
}

/**
 * Re-encodes pictures and puts them into storage, unclaimed. @throws BAD_IMAGE, after which none of them is left.
 */
export async function storePhotos(
  ctx: Context<UserActor>,
  images: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>[],
): Promise<Photo[]> {
  const photos: Photo[] = []
  try {
    for (const image of images) {
      const photo = await processPhoto(image.path)
      if (typeof photo === 'string') {
        const reason = photo === 'too-many-pixels' ? dropTexts.tooManyPixels : dropTexts.notAnImage
        const name = image.fileName.replace(/[^\p{L}\p{N}._ -]/gu, '').slice(0, 60) || 'This file'
        throw dropError('BAD_IMAGE', { text: `${name} ${reason}`, field: image.field })
      }
      const earlier = photoKeys(photos)
      photos.push(photo)
      await rememberObjects(
        ctx,
        photo.files.map((file) => ({ key: file.key, bytes: file.bytes.length })),
      )
      // The next picture may wait in line behind other sellers': the sweep must not take this one for a leftover.
      await ctx.db.storedObject.updateMany({ where: { key: { in: earlier } }, data: { createdAt: ctx.clock.now() } })
      for (const file of photo.files) await storage().put(file.key, file.bytes)
      // Held until the row is written: only the addresses are needed from here.
      photo.files = photo.files.map((file) => ({ key: file.key, bytes: Buffer.alloc(0) }))
    }
    return photos
  } catch (error) {
    await discardObjects(ctx, photoKeys(photos))
    throw error
  }
}

/**
 * Takes what buyers will get over into private storage, unclaimed. @throws BAD_FILE
 */
export async function storeFile(ctx: Context<UserActor>, received: ReceivedFile): Promise<StoredFile> {
  const kind = await recogniseFile(received.path, received.fileName)
  if (!kind) throw dropError('BAD_FILE')
  const { bytes, sha256 } = received
  // Its name has promised a kind, and the key says so for good.
  if (received.storedAs && !received.storedAs.endsWith(`.${kind}`)) throw dropError('BAD_FILE')
  const storageKey = received.storedAs ?? (await adopt(ctx, received, kind))
  return {
    storageKey,
    fileName: safeFileName(received.fileName, kind),
    contentType: contentTypeOf(storageKey),
    bytes,
    sha256,
  }
}

async function adopt(ctx: Context<UserActor>, received: ReceivedFile, kind: FileKind): Promise<string> {
  const { bytes, sha256 } = received
  const key = `files/${newId('f')}.${kind}`
  await rememberObjects(ctx, [{ key, bytes, sha256 }])
  try {
    await storage().adopt(key, received.path)
  } catch (error) {
    await discardObjects(ctx, [key])
    throw error
  }
  return key
}

export function photoKeys(photos: Photo[]): string[] {
  return photos.flatMap((photo) => photo.files.map((file) => file.key))
}

/** Written before the bytes, so that a crash in between leaves a trace the sweep can follow. */
async function rememberObjects(
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
