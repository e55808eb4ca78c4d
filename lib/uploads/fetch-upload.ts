import 'server-only'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { uploadError } from './messages'
import { KEEP_MS } from './rules'

/** Enough bytes to recognise a file, even a document that begins with a large picture. */
const HEAD_BYTES = 1024 * 1024

export type FetchedUpload = {
  field: string
  fileName: string
  /** The type that the sender of a form declares. */
  declaredType?: string
  /** The whole file; for a file that stays in the storage only its beginning. */
  path: string
  /** The length of the whole file. */
  bytes: number
  sha256: string | null
  storedAs?: string
}

/**
 * Fetches an upload that the seller's browser has sent to the storage: a picture completely, a file only its beginning.
 * @throws UPLOAD_GONE for an upload that has not arrived, was used or swept, or belongs to another user.
 */
export async function fetchUpload(
  ctx: Context<UserActor>,
  { field, key, folder }: { field: string; key: string; folder: string },
): Promise<FetchedUpload> {
  const now = ctx.clock.now()
  // One statement finds the row and protects it from the sweep while the upload is used.
  const [row] = await ctx.db.storedObject.updateManyAndReturn({
    where: { key, ownerId: ctx.actor.userId, claimedAt: null, fileName: { not: null } },
    data: { keepUntil: new Date(now.getTime() + KEEP_MS) },
  })
  if (!row) throw uploadError('UPLOAD_GONE', { field })
  const isFile = key.startsWith('files/')
  const object = await storage().open(key, isFile ? { start: 0, end: HEAD_BYTES - 1 } : undefined)
  if (!object || BigInt(object.size) !== row.bytes) {
    await object?.body.cancel()
    throw uploadError('UPLOAD_GONE', { field })
  }
  const target = path.join(folder, field)
  const sha256 = await write(object.body, target)
  const fetched = { field, fileName: row.fileName ?? '', path: target, bytes: object.size }
  return isFile ? { ...fetched, sha256: null, storedAs: key } : { ...fetched, sha256 }
}

async function write(body: ReadableStream<Uint8Array>, target: string): Promise<string> {
  const hash = createHash('sha256')
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(Readable.fromWeb(body as NodeStream), measure, createWriteStream(target, { mode: 0o600 }))
  return hash.digest('hex')
}
