import { FILE_KINDS, type FileKind } from '@/lib/kernel/file-kind'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'

/** The largest picture. Photos from phones are usually smaller. */
export const MAX_IMAGE_BYTES = 25 * 1024 * 1024
/** The largest file of a digital drop (docs/product.md#digital-files). */
export const MAX_FILE_BYTES = 500 * 1024 * 1024
/** The highest number of uploads in one form: five pictures and one file. */
export const MAX_UPLOADS = 6

/** How long a browser may send to an upload URL: ten minutes (docs/product.md#publishing). */
export const UPLOAD_MS = 10 * MINUTE_MS
/**
 * How long an upload is kept after its start, its arrival and each use in a form, so that the form can be sent again.
 */
export const KEEP_MS = UPLOAD_MS + 2 * MINUTE_MS

/**
 * The limits of photos that are sent while the seller still fills in the form: how long one is kept, how many a seller
 * may have at a time, and how many a seller may send in an hour (docs/product.md#photos-before-the-form).
 */
export const KEEP_PHOTO_MS = HOUR_MS
export const MAX_KEPT_PHOTOS = 15
export const PHOTO_LIMIT = { name: 'form-photo', points: 60, windowSeconds: 3600 }
/** How many such photos one network may send in an hour, no matter which account is signed in. */
export const PHOTO_NETWORK_LIMIT = { name: 'form-photo-network', points: 300, windowSeconds: 3600 }

/** A picture is examined and re-encoded; a file is passed to buyers unchanged. */
export type UploadPurpose = 'picture' | 'file'

export const maxBytesOf: Record<UploadPurpose, number> = { picture: MAX_IMAGE_BYTES, file: MAX_FILE_BYTES }

/** The kind of file that a name suggests; the bytes are checked later. */
export function kindOfName(fileName: string): FileKind | null {
  const extension = /\.([a-z0-9]+)$/.exec(fileName.toLowerCase())?.[1]
  if (extension === 'jpeg') return 'jpg'
  return FILE_KINDS.find((kind) => kind === extension) ?? null
}

/**
 * How many requests with files one user may send in an hour, and at the same time (docs/product.md#limits-of-uploads).
 */
export const UPLOAD_LIMIT = { name: 'upload', points: 20, windowSeconds: 3600 }
export const UPLOADS_AT_ONCE = 2

/** The most bytes that the stored files of one account may take up: as many as a hundred of the largest files. */
export const MAX_STORED_BYTES = 50 * 1024 ** 3
