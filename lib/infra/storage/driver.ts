/** First and last byte, both included, as HTTP counts them. */
export type ByteRange = { start: number; end: number }

type OpenedObject = {
  body: ReadableStream<Uint8Array>
  /** Of `body`: the whole object, or the part asked for. */
  bytes: number
  /** Of the whole object. */
  size: number
  /** From the key's extension, which we gave it after looking at the bytes. */
  contentType: string
}

/**
 * Where bytes live. Objects are immutable: a key never gets other content. Keys under `drops/` and `profiles/` are public
 * pictures, keys under `files/` are what buyers pay for and leave only through a check of who is asking, keys under
 * `incoming/` wait to be looked at (ADR 0007, 0017, 0032).
 */
export type Storage = {
  put: (key: string, bytes: Buffer) => Promise<void>
  /** Takes a finished file on this machine over, of any length; afterwards it is no longer where it was. */
  adopt: (key: string, file: string) => Promise<void>
  /** A range's end is cut to the object; one that starts behind it has no bytes. null when there is no such object. */
  open: (key: string, range?: ByteRange) => Promise<OpenedObject | null>
  /** Nothing to remove is no failure. */
  remove: (key: string) => Promise<void>
  /** Clears away what writes that a crash cut short have left, when nothing has touched it since `before`. */
  removeUnfinished: (before: Date) => Promise<void>
  /** An address of a private object that is good for minutes; null when it is to be sent by us. */
  temporaryAddress: (key: string) => Promise<string | null>
  /** How browsers send bytes without passing through us; null when they cannot. */
  direct: DirectUploads | null
}

/** What a browser may send under a key: exactly as many bytes. */
export type ExpectedUpload = { key: string; fileName: string; bytes: number; contentType: string }

export type DirectUploads = {
  /** Where each may be sent until `expiresAt`, in their order; `callbackUrl` is told of each that has arrived. */
  addressesFor: (uploads: ExpectedUpload[], expiresAt: Date, callbackUrl: string) => Promise<string[]>
  /** What has arrived, if the storage itself says so; null for anybody else's words, and for objects not ours. */
  readArrival: (body: string, signature: string) => { key: string; bytes: number } | null
  /** Tells the storage that its report has been heard. */
  acknowledge: (key: string) => Promise<void>
}

const SAFE_KEY = /^[a-z]+\/[a-z0-9_-]+(?:\.[a-z0-9]+)?$/i

export function isStorageKey(key: string): boolean {
  return SAFE_KEY.test(key)
}

/** Whether anybody may see it who has its address. */
export function isPublicKey(key: string): boolean {
  return /^(?:drops|profiles)\//.test(key)
}

/** The storage cannot be reached, or does not do what it should: nobody's mistake here, and it may pass. */
export class StorageUnavailable extends Error {
  readonly isStorageUnavailable = true
}

export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof Error && 'isStorageUnavailable' in error
}
