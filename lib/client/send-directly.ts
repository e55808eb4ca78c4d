import { dropToasts } from '@/lib/drops/messages'
import type { UploadPurpose } from '@/lib/uploads/rules'
import type { StartedUpload } from '@/lib/uploads/view'
import { areUploadsDirect } from './are-uploads-direct'
import { arrivedFiles } from './arrived-files'
import { ApiError, callApi } from './call-api'
import { sendBody, UploadError } from './send-body'

type Sending = {
  method: string
  path: string
  form: FormData
  timeoutMs: number
  onLoaded: (loadedBytes: number, totalBytes: number) => void
}

type Part = { field: string; file: File }

/**
 * Sends the files of a form directly to the storage, and then the form with the files' keys to our server. `done`
 * rejects with the same errors as that of sendBody().
 */
export function sendDirectly<Result>(sending: Sending): { done: Promise<Result>; cancel: () => void } {
  const state: Running = { isCanceled: false, cancel: () => undefined, endsAt: performance.now() + sending.timeoutMs }
  const done = run<Result>(sending, state).catch((error: unknown) => {
    if (error instanceof SyntaxError) throw new UploadError(dropToasts.invalidResponse)
    // fetch reports a network failure only as a TypeError.
    throw error instanceof TypeError ? new UploadError(dropToasts.networkError) : error
  })
  const cancel = () => {
    state.isCanceled = true
    state.cancel()
  }
  return { done, cancel }
}

type Running = { isCanceled: boolean; cancel: () => void; endsAt: number }

async function run<Result>(sending: Sending, state: Running): Promise<Result> {
  const { method, path, form, onLoaded } = sending
  const entries = [...form]
  const parts = entries.flatMap(([field, file]) => (file instanceof File ? [{ field, file }] : []))
  const texts = entries.filter(([, value]) => typeof value === 'string')
  const missing = parts.filter(({ file }) => !arrivedFiles.has(file))
  if (missing.length > 0 && !areUploadsDirect()) {
    // Some files are not on the server, for example because it has deleted a photo that was sent before the form. The
    // form is therefore sent with all of its files.
    const whole = sendBody<Result>({
      ...sending,
      url: path,
      body: form,
      timeoutMs: state.endsAt - performance.now(),
    })
    state.cancel = whole.cancel
    return whole.done
  }
  const totalBytes = bytesOf(parts)
  let sentBytes = totalBytes - bytesOf(missing)
  const started = missing.length > 0 ? await start(missing) : []
  for (const [at, { file }] of missing.entries()) {
    const upload = started[at]
    if (!upload) throw new UploadError(dropToasts.invalidResponse)
    await sendPart(file, upload, state, (loaded) => onLoaded(sentBytes + Math.min(loaded, file.size), totalBytes))
    sentBytes += file.size
    arrivedFiles.set(file, upload.key)
  }
  onLoaded(totalBytes, totalBytes)
  if (state.isCanceled) throw new UploadError('')
  const uploads = Object.fromEntries(parts.map(({ field, file }) => [field, arrivedFiles.get(file)]))
  try {
    const left = Math.max(1, state.endsAt - performance.now())
    const options = { signal: AbortSignal.timeout(left) }
    return await callApi<Result>(method, path, { ...Object.fromEntries(texts), uploads }, options)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') throw new UploadError(dropToasts.uploadTimedOut)
    if (!(error instanceof ApiError && error.code === 'UPLOAD_GONE')) throw error
    for (const { file } of parts) arrivedFiles.delete(file)
    // The uploads were deleted by the sweep or used by an attempt whose response was lost. Sending the files again may
    // work.
    if (missing.length < parts.length && !state.isCanceled) return run(sending, state)
    throw error
  }
}

const bytesOf = (parts: Part[]) => parts.reduce((sum, { file }) => sum + file.size, 0)

async function start(parts: Part[]): Promise<StartedUpload[]> {
  const files = parts.map(({ field, file }) => {
    const purpose: UploadPurpose = field === 'digitalFile' ? 'file' : 'picture'
    return { purpose, fileName: file.name || field, bytes: file.size }
  })
  return (await callApi<{ uploads: StartedUpload[] }>('POST', '/api/uploads', { files })).uploads
}

async function sendPart(
  file: File,
  { url, fileName, contentType }: StartedUpload,
  state: Running,
  onLoaded: (loadedBytes: number) => void,
): Promise<void> {
  const timeoutMs = state.endsAt - performance.now()
  if (state.isCanceled) throw new UploadError('')
  if (timeoutMs <= 0) throw new UploadError(dropToasts.uploadTimedOut)
  const body = new FormData()
  // The storage accepts only the type and name that were signed.
  body.set('file', file.slice(0, file.size, contentType), fileName)
  const sending = sendBody({ method: 'PUT', url, body, timeoutMs, onLoaded })
  state.cancel = sending.cancel
  await sending.done.catch((error: unknown) => {
    // The storage's own error text is not meant for users.
    throw error instanceof ApiError ? new UploadError(dropToasts.networkError) : error
  })
}
