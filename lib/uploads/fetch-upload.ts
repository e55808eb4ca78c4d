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

/** How much of a file is fetched: enough to recognize it, even if it is a document that begins with a large picture. */
const HEAD_BYTES = 1024 * 1024

export type FetchedUpload = {
  field: string
  fileName: string
  /** The type that the browser declares in a form. */
  declaredType?: string
  /** The local copy: the whole file, or only the beginning of a file that stays in the storage. */
  path: string
  /** The length of the whole file. */
  bytes: number
  sha256: string | null
  storedAs?: string
}

/**
 * Fetches an upload that the seller's browser has sent to the storage: all of a picture, but only the beginning of a
 * file.
 * @throws UPLOAD_GONE for an upload that has not arrived completely, was used or swept, or belongs to another user.
 */
export async function fetchUpload(
  ctx: Context<UserActor>,
  { field, key, folder }: { field: string; key: string; folder: string },
): Promise<FetchedUpload> {
  const now = ctx.clock.now()
  // One statement finds the row and protects it from the sweep while the upload is used. A photo that was sent before
  // its form may already be kept for longer, and must still be there when the form is refused and sent again.
  const [row] = await ctx.sql<{ bytes: number; fileName: string }>(
    'fetch-upload',
    `UPDATE "StoredObject" SET "keepUntil" = GREATEST("keepUntil", :until::timestamptz)
      WHERE "key" = :key AND "ownerId" = :ownerId AND "claimedAt" IS NULL AND "fileName" IS NOT NULL
      RETURNING "bytes"::float8 AS "bytes", "fileName"`,
    { key, ownerId: ctx.actor.userId, until: new Date(now.getTime() + KEEP_MS) },
  )
  if (!row) throw uploadError('UPLOAD_GONE', { field })
  const isFile = key.startsWith('files/')
  const object = await storage().open(key, isFile ? { start: 0, end: HEAD_BYTES - 1 } : undefined)
  if (!object || object.size !== row.bytes) {
    await object?.body.cancel()
    throw uploadError('UPLOAD_GONE', { field })
  }
  const target = path.join(folder, field)
  const sha256 = await write(object.body, target)
  const fetched = { field, fileName: row.fileName, path: target, bytes: object.size }
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
