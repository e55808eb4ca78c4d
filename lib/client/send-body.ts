import { dropToasts } from '@/lib/drops/messages'
import { ApiError } from './api'

/** A file that was picked, or a problem with the way it went; the text is the toast's (SPEC §8, Create drop). */
export class UploadError extends Error {}

type Sending = {
  method: string
  address: string
  body: FormData
  timeoutMs: number
  onLoaded: (loadedBytes: number, totalBytes: number) => void
}

/**
 * Sends a body and tells how far it is; fetch cannot say, so this is an XMLHttpRequest.
 * @throws UploadError when the way breaks (an empty text: cancelled), ApiError for a refusal.
 */
export function sendBody<Result>({ method, address, body, timeoutMs, onLoaded }: Sending): {
  done: Promise<Result>
  cancel: () => void
} {
  const request = new XMLHttpRequest()
  let isSent = false
  const done = new Promise<Result>((resolve, reject) => {
    request.open(method, address)
    request.timeout = timeoutMs
    request.upload.onprogress = (event) => onLoaded(event.loaded, event.total)
    request.upload.onload = () => {
      isSent = true
    }
    request.ontimeout = () => reject(new UploadError(dropToasts.uploadTimedOut))
    request.onerror = () => reject(new UploadError(dropToasts.networkError))
    request.onabort = () => reject(new UploadError(''))
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        reject(new ApiError(request.status, request.responseText, request.statusText))
        return
      }
      try {
        resolve(JSON.parse(request.responseText) as Result)
      } catch {
        reject(new UploadError(dropToasts.invalidResponse))
      }
    }
    request.send(body)
  })
  // What was sent whole is done, whether anybody waits for the answer or not.
  const cancel = () => {
    if (!isSent) request.abort()
  }
  return { done, cancel }
}
