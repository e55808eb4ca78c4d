import { FILE_KINDS, type FileKind } from '@/lib/kernel/file-kind'
import { MINUTE_MS } from '@/lib/kernel/time'

/** More than the largest photo of a phone. */
export const MAX_IMAGE_BYTES = 25 * 1024 * 1024
/** The largest file of a digital drop (docs/product.md#digital-files). */
export const MAX_FILE_BYTES = 500 * 1024 * 1024
/** Five pictures and one file. */
export const MAX_UPLOADS = 6

/** How long a browser may send to an upload address: ten minutes (docs/product.md#publishing). */
export const UPLOAD_MS = 10 * MINUTE_MS
/** How long an upload is kept from its start, and again from each use, so that a form can be sent again. */
export const KEEP_MS = UPLOAD_MS + 2 * MINUTE_MS

/** A picture is examined and re-encoded; a file is passed to buyers unchanged. */
export type UploadPurpose = 'picture' | 'file'

export const maxBytesOf: Record<UploadPurpose, number> = { picture: MAX_IMAGE_BYTES, file: MAX_FILE_BYTES }

/** The kind of file that a name suggests; the bytes are checked later. */
export function kindOfName(fileName: string): FileKind | null {
  const extension = /\.([a-z0-9]+)$/.exec(fileName.toLowerCase())?.[1]
  if (extension === 'jpeg') return 'jpg'
  return FILE_KINDS.find((kind) => kind === extension) ?? null
}

/** How many requests with files one user may send (docs/product.md#limits-of-uploads). */
export const UPLOAD_LIMIT = { name: 'upload', points: 20, windowSeconds: 3600 }
export const UPLOADS_AT_ONCE = 2
