import 'server-only'
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { UTApi } from 'uploadthing/server'
import { systemClock } from '@/lib/infra/clock'
import type { UploadThingAccount } from '@/lib/infra/env-rules.mjs'
import { contentTypeOf } from '@/lib/kernel/file-kind'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import {
  type ByteRange,
  type ExpectedUpload,
  isPublicKey,
  isStorageKey,
  type Storage,
  StorageUnavailable,
} from './driver'
import { localKey, remoteKey, signedAddress } from './uploadthing-address'

/** How long UploadThing may take to begin its response. Uploads have UPLOAD_MS instead. */
const ANSWER_MS = 15 * SECOND_MS
/** An upload may take 10 minutes (docs/product.md#publishing). */
const UPLOAD_MS = 10 * MINUTE_MS
/** A download must begin within this time, but may take any time to finish. */
const DOWNLOAD_ADDRESS_SECONDS = 300
/** The name of our only file route, which UploadThing sends with its reports. */
const SLUG = 'upload'

/**
 * Stores objects with UploadThing (protocol version 7). The SDK is used for everything that it can do with our own
 * keys.
 */
export function uploadThing(account: UploadThingAccount): Storage {
  return {
    put: (key, bytes) => send(account, key, new Blob([new Uint8Array(bytes)])),
    async adopt(key, file) {
      await send(account, key, await openAsBlob(file))
      await rm(file, { force: true })
    },
    open: (key, range) => openObject(account, key, range),
    remove: (key) => removeObject(account, key),
    // UploadThing never keeps an object whose upload was not finished, so nothing remains to remove.
    removeUnfinished: async () => undefined,
    temporaryAddress: (key) => temporaryAddress(account, key),
    direct: {
      addressesFor: (uploads, expiresAt, callbackUrl) => addressesFor(account, uploads, expiresAt, callbackUrl),
      receiveReport: (report, onArrival) => receiveReport(account, report, onArrival),
    },
  }
}

/**
 * Returns the key that UploadThing uses for one of our objects.
 * @throws Error when our key is not a storage key
 */
function remoteKeyOf({ appId }: UploadThingAccount, key: string): string {
  if (!isStorageKey(key)) throw new Error('not a storage key')
  return remoteKey(appId, key)
}

/**
 * Returns the signed URL to which a file is sent.
 * @param slug the file route to which UploadThing reports the arrival. Without it nothing is reported.
 */
function uploadAddress(account: UploadThingAccount, upload: ExpectedUpload, expiresAt: Date, slug?: string): string {
  const { apiKey, appId, ingestUrl } = account
  const { key, fileName, bytes, contentType } = upload
  const data = {
    'x-ut-identifier': appId,
    'x-ut-file-name': fileName,
    'x-ut-file-size': bytes,
    'x-ut-file-type': contentType,
    ...(slug ? { 'x-ut-slug': slug } : {}),
    'x-ut-content-disposition': isPublicKey(key) ? 'inline' : 'attachment',
    'x-ut-acl': isPublicKey(key) ? 'public-read' : 'private',
  }
  return signedAddress(`${ingestUrl}/${remoteKeyOf(account, key)}`, { apiKey, expiresAt, data })
}

async function send(account: UploadThingAccount, key: string, content: Blob): Promise<void> {
  const contentType = contentTypeOf(key)
  const fileName = key.split('/')[1] ?? key
  const form = new FormData()
  form.append('file', content.slice(0, content.size, contentType), fileName)
  const upload = { key, fileName, bytes: content.size, contentType }
  const url = uploadAddress(account, upload, new Date(systemClock.now().getTime() + UPLOAD_MS))
  const response = await callUploadThing(url, { method: 'PUT', body: form, headers: { Range: 'bytes=0-' } }, UPLOAD_MS)
  await response.body?.cancel()
  if (!response.ok) throw new StorageUnavailable(`UploadThing answered ${response.status} to an upload`)
}

/** Opens an object or a part of it. Returns null when there is no such object. */
async function openObject(account: UploadThingAccount, key: string, range: ByteRange | undefined) {
  if (!isStorageKey(key)) return null
  const headers: HeadersInit = range ? { Range: `bytes=${range.start}-${Math.max(range.start, range.end)}` } : {}
  const response = await callUploadThing(await readAddress(account, key), { headers })
  const opened = readAnswer(response, range)
  if (!opened) await response.body?.cancel()
  return opened && { ...opened, contentType: contentTypeOf(key) }
}

async function readAddress(account: UploadThingAccount, key: string): Promise<string> {
  if (!isPublicKey(key)) return temporaryAddress(account, key)
  const { appId, standInUrl } = account
  const remote = remoteKeyOf(account, key)
  return standInUrl ? `${standInUrl}/a/${appId}/${remote}` : `https://${appId}.ufs.sh/f/${remote}`
}

async function temporaryAddress(account: UploadThingAccount, key: string): Promise<string> {
  const api = await sdk(account)
  return (await api.generateSignedURL(remoteKeyOf(account, key), { expiresIn: DOWNLOAD_ADDRESS_SECONDS })).ufsUrl
}

async function removeObject(account: UploadThingAccount, key: string): Promise<void> {
  const api = await sdk(account)
  await api.deleteFiles(remoteKeyOf(account, key)).catch((error: unknown) => {
    throw new StorageUnavailable('an object could not be removed', { cause: error })
  })
}

/** Creates the URLs for uploads from the browser, and registers with UploadThing where to report their arrival. */
async function addressesFor(
  account: UploadThingAccount,
  uploads: ExpectedUpload[],
  expiresAt: Date,
  callbackUrl: string,
): Promise<string[]> {
  const urls = uploads.map((upload) => uploadAddress(account, upload, expiresAt, SLUG))
  await notifyUploadThing(account, '/route-metadata', {
    fileKeys: uploads.map(({ key }) => remoteKeyOf(account, key)),
    metadata: {},
    callbackUrl,
    callbackSlug: SLUG,
    // The browser need not wait for our response, because the file is examined when the form is sent.
    awaitServerData: false,
    isDev: false,
  })
  return urls
}

async function notifyUploadThing(
  { apiKey, ingestUrl }: UploadThingAccount,
  path: string,
  message: object,
): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-uploadthing-api-key': apiKey }
  const response = await callUploadThing(ingestUrl + path, { method: 'POST', headers, body: JSON.stringify(message) })
  await response.body?.cancel()
  if (!response.ok) throw new StorageUnavailable(`UploadThing answered ${response.status} to ${path}`)
}

/** Loads the SDK when it is first needed, because loading it takes longer than the rest of a cold start. */
async function sdk({ token, standInUrl }: UploadThingAccount): Promise<UTApi> {
  const { UTApi: Api } = await import('uploadthing/server')
  const options = { token, logLevel: 'Fatal', fetch: fetchInTime } as const
  if (!standInUrl) return new Api(options)
  const { host } = new URL(standInUrl)
  const endpoints = { apiUrl: standInUrl, ingestUrl: standInUrl, ufsHost: host, ufsAppIdLocation: 'path' as const }
  return new Api({ ...options, ...endpoints })
}

/** Calls fetch with a time limit, because the SDK sets none. */
const fetchInTime: typeof fetch = (input, init) =>
  fetch(input, {
    ...init,
    signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(init?.signal ? [init.signal] : [])]),
  })

async function callUploadThing(url: string, init: RequestInit, answerMs = ANSWER_MS): Promise<Response> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), answerMs)
  try {
    return await fetch(url, { ...init, signal: abort.signal })
  } catch (error) {
    // The cause is left out, because it may contain a URL that gives access to a file.
    throw new StorageUnavailable(`UploadThing does not respond: ${(error as Error).name}`)
  } finally {
    clearTimeout(timer)
  }
}

function readAnswer(response: Response, range: ByteRange | undefined) {
  const { status, headers } = response
  if (status === 403 || status === 404) return null
  const [, total] = /\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? []
  // The range starts after the end, or the object is empty.
  if (status === 416) return { body: new Blob([]).stream(), bytes: 0, size: Number(total ?? 0) }
  if (!response.ok || (range && status !== 206)) throw new StorageUnavailable(`UploadThing answered ${status}`)
  const bytes = Number(headers.get('content-length') ?? Number.NaN)
  const body = response.body ?? new Blob([]).stream()
  return { body, bytes, size: range ? Number(total) : bytes }
}

/**
 * Lets the SDK's route helper handle a report. The helper checks the signature and the form of the report, and confirms
 * the report to UploadThing. The middleware below refuses the other requests that the helper handles, which ask for
 * upload URLs (ADR 0049).
 */
async function receiveReport(
  { token, appId }: UploadThingAccount,
  report: Request,
  onArrival: (key: string) => Promise<void>,
): Promise<boolean> {
  const { createRouteHandler, createUploadthing, UploadThingError } = await import('uploadthing/server')
  let failure: unknown
  const fileRoute = createUploadthing()({ blob: { maxFileSize: '512MB' } })
    .middleware(() => {
      throw new UploadThingError('FORBIDDEN')
    })
    .onUploadComplete(async ({ file }) => {
      const key = localKey(appId, file.key)
      if (key === null || !isStorageKey(key)) return
      // After a failure the SDK confirms nothing but still responds with 200, so the failure is kept and thrown below.
      await onArrival(key).catch((error: unknown) => {
        failure = error
        throw error
      })
    })
  const config = { token, isDev: false, logLevel: 'None', fetch: fetchInTime, handleDaemonPromise: 'await' } as const
  const answer = await createRouteHandler({ router: { [SLUG]: fileRoute }, config })(report)
  await answer.body?.cancel()
  if (failure) throw failure
  return answer.ok
}
