import { dropToasts } from '@/lib/drops/messages'
import { ApiError } from './call-api'

/** A problem with picking or sending a file; its text is shown as a toast (docs/product.md#publishing). */
export class UploadError extends Error {}

type Sending = {
  method: string
  address: string
  body: FormData
  timeoutMs: number
  onLoaded: (loadedBytes: number, totalBytes: number) => void
}

/**
 * Sends a body and reports its progress. It uses XMLHttpRequest, because fetch cannot report upload progress.
 * @throws UploadError when the connection fails (with an empty text when it was cancelled), ApiError for a refusal.
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
  // Once the whole body was sent the server acts on it, so cancelling would only lose its response.
  const cancel = () => {
    if (!isSent) request.abort()
  }
  return { done, cancel }
}
