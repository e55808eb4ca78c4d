import 'server-only'
import type { Context } from '@/lib/infra/context'
import { recognizeFile } from '@/lib/infra/recognize-file'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { contentTypeOf, type FileKind } from '@/lib/kernel/file-kind'
import { newId } from '@/lib/kernel/id'
import { discardObjects, rememberObjects } from '@/lib/uploads/claim-objects'
import { dropError } from '../messages'
import { safeFileName } from '../rules'

/**
 * A received file on this machine. With `storedAs` it is only the beginning of the file, because the whole file is
 * already in storage.
 */
export type ReceivedFile = {
  field: string
  fileName: string
  path: string
  bytes: number
  /** Null when the file's bytes did not pass through this server. */
  sha256: string | null
  storedAs?: string
}

export type StoredFile = Pick<ReceivedFile, 'fileName' | 'bytes' | 'sha256'> & {
  storageKey: string
  contentType: string
}

/**
 * Checks the type of the file for buyers and moves it into private storage, unless the browser has already uploaded it
 * there. No drop claims the file yet.
 * @throws BAD_FILE
 */
export async function storeFile(ctx: Context<UserActor>, received: ReceivedFile): Promise<StoredFile> {
  const kind = await recognizeFile(received.path, received.fileName)
  if (!kind) throw dropError('BAD_FILE')
  const { bytes, sha256 } = received
  // The storage key of a direct upload ends with the file type that the browser announced. The key can no longer
  // change, so a file of another type is refused.
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
