/** The first and the last byte, both included, as HTTP counts them. */
export type ByteRange = { start: number; end: number }

type OpenedObject = {
  body: ReadableStream<Uint8Array>
  /** The length of `body`: the whole object or the requested part. */
  bytes: number
  /** The length of the whole object. */
  size: number
  /** The type by the key's extension, which we chose after examining the bytes. */
  contentType: string
}

/**
 * The storage of pictures and files. Objects are immutable: the content of a key never changes. Keys under `drops/` and
 * `profiles/` are public pictures. Keys under `files/` are what buyers pay for and are served only after an access
 * check. Keys under `incoming/` wait to be examined (ADR 0007, ADR 0017, ADR 0032).
 */
export type Storage = {
  put: (key: string, bytes: Buffer) => Promise<void>
  /** Moves a finished file of any length from this machine into the storage. */
  adopt: (key: string, file: string) => Promise<void>
  /**
   * Opens an object. The end of a range is limited to the object, and a range that starts after it has no bytes. Null
   * when there is no such object.
   */
  open: (key: string, range?: ByteRange) => Promise<OpenedObject | null>
  /** Removes an object. A missing object is not an error. */
  remove: (key: string) => Promise<void>
  /** Removes the remains of writes that a crash interrupted, when nothing has changed them since `before`. */
  removeUnfinished: (before: Date) => Promise<void>
  /** An address of a private object that works for some minutes; null when our server must send the object itself. */
  temporaryAddress: (key: string) => Promise<string | null>
  /** How browsers send files without passing through our server; null when they cannot. */
  direct: DirectUploads | null
}

/** A file that a browser may send under a key, with exactly this many bytes. */
export type ExpectedUpload = { key: string; fileName: string; bytes: number; contentType: string }

type DirectUploads = {
  /**
   * The addresses to which each upload may be sent until `expiresAt`, in the same order; the storage reports each
   * arrival to `callbackUrl`.
   */
  addressesFor: (uploads: ExpectedUpload[], expiresAt: Date, callbackUrl: string) => Promise<string[]>
  /**
   * Handles the storage's report about an upload: checks that the storage signed it, calls `onArrival` with the key of one
   * of our objects, and confirms it to the storage.
   * @returns false when the storage did not send this report.
   */
  receiveReport: (report: Request, onArrival: (key: string) => Promise<void>) => Promise<boolean>
}

const SAFE_KEY = /^[a-z]+\/[a-z0-9_-]+(?:\.[a-z0-9]+)?$/i

export function isStorageKey(key: string): boolean {
  return SAFE_KEY.test(key)
}

/** Whether everybody who has the address may see the object. */
export function isPublicKey(key: string): boolean {
  return /^(?:drops|profiles)\//.test(key)
}

/** The storage cannot be reached or fails. It is not the caller's fault, and a later attempt may succeed. */
export class StorageUnavailable extends Error {
  readonly isStorageUnavailable = true
}

export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof Error && 'isStorageUnavailable' in error
}
