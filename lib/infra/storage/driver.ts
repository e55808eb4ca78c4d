/** The positions of the first and the last byte, both included. The first byte of an object is 0, as in HTTP. */
export type ByteRange = { start: number; end: number }

type OpenedObject = {
  body: ReadableStream<Uint8Array>
  /** The length of `body`: the whole object or the requested part. */
  bytes: number
  /** The length of the whole object. */
  size: number
  /** The content type that belongs to the key's extension. We choose the extension after examining the bytes. */
  contentType: string
}

/**
 * The storage of pictures and files. The content of a key never changes. Objects under `drops/` and `profiles/` are
 * public pictures. Objects under `files/` are the files that buyers pay for, and are served only after an access check.
 * Objects under `incoming/` are uploads that wait to be examined, and objects under `previews/` are drawn pictures
 * (ADR 0007, ADR 0017, ADR 0032, ADR 0051).
 */
export type Storage = {
  put: (key: string, bytes: Buffer) => Promise<void>
  /** Moves a finished file of any length from this machine into the storage. */
  adopt: (key: string, file: string) => Promise<void>
  /**
   * Opens an object, or a part of it. A range is cut off at the end of the object, so a range that starts after the end
   * has no bytes. Returns null when there is no such object.
   */
  open: (key: string, range?: ByteRange) => Promise<OpenedObject | null>
  /** Removes an object. A missing object is not an error. */
  remove: (key: string) => Promise<void>
  /** Removes what interrupted writes left behind, unless it was changed at or after the time `before`. */
  removeUnfinished: (before: Date) => Promise<void>
  /** Returns a URL that works for some minutes, or null when our server must send the object itself. */
  temporaryAddress: (key: string) => Promise<string | null>
  /** Lets browsers send files directly to the storage; null when the storage does not support this. */
  direct: DirectUploads | null
}

/** A file that a browser may send under a key. It must have exactly this number of bytes. */
export type ExpectedUpload = { key: string; fileName: string; bytes: number; contentType: string }

type DirectUploads = {
  /**
   * Returns the URLs to which the uploads may be sent until `expiresAt`, in the order of the uploads. The storage
   * reports each finished upload to `callbackUrl`.
   */
  addressesFor: (uploads: ExpectedUpload[], expiresAt: Date, callbackUrl: string) => Promise<string[]>
  /**
   * Handles the storage's report about a finished upload. It checks that the storage signed the report, calls
   * `onArrival` with our key of the object, and confirms the report to the storage.
   * @returns false when the storage did not send this report
   */
  receiveReport: (report: Request, onArrival: (key: string) => Promise<void>) => Promise<boolean>
}

const SAFE_KEY = /^[a-z]+\/[a-z0-9_-]+(?:\.[a-z0-9]+)?$/i

/** Whether a key has the form of our keys, `folder/name.ext`. Any other key could lead out of the storage folder. */
export function isStorageKey(key: string): boolean {
  return SAFE_KEY.test(key)
}

/** Whether everyone who has the object's URL may see it. */
export function isPublicKey(key: string): boolean {
  return /^(?:drops|profiles)\//.test(key)
}

/** Thrown when the storage cannot be reached or fails. A later attempt may succeed. */
export class StorageUnavailable extends Error {
  readonly isStorageUnavailable = true
}

/** What the operating system reports when a disk is full, broken or read-only, or when no more files can be opened. */
const DISK_ERRORS = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EMFILE', 'ENFILE'])

/** Whether the error means that the storage, or the disk under it, can currently not be read or written. */
export function isStorageUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return 'isStorageUnavailable' in error || ('code' in error && DISK_ERRORS.has(String(error.code)))
}
