import { FILE_KINDS, type FileKind } from '@/lib/kernel/file-kind'
import { MINUTE_MS } from '@/lib/kernel/time'

/** A phone's largest photo, with room. */
export const MAX_IMAGE_BYTES = 25 * 1024 * 1024
/** SPEC §9: what a digital drop's file may weigh. */
export const MAX_FILE_BYTES = 500 * 1024 * 1024
/** Five pictures and a file. */
export const MAX_UPLOADS = 6

/** How long a browser may send to an address: the ten minutes of SPEC §9. */
export const UPLOAD_MS = 10 * MINUTE_MS
/** From its start until nobody waits for it any more; what has arrived is kept for another try of the form. */
export const KEEP_MS = UPLOAD_MS + 2 * MINUTE_MS

/** A picture is looked at and encoded anew; a file is what buyers get, as it is. */
export type UploadPurpose = 'picture' | 'file'

export const maxBytesOf: Record<UploadPurpose, number> = { picture: MAX_IMAGE_BYTES, file: MAX_FILE_BYTES }

/** What kind of file a name promises; whether it keeps that is seen from its bytes. */
export function kindOfName(fileName: string): FileKind | null {
  const extension = /\.([a-z0-9]+)$/.exec(fileName.toLowerCase())?.[1]
  if (extension === 'jpeg') return 'jpg'
  return FILE_KINDS.find((kind) => kind === extension) ?? null
}
