import { dropToasts } from '@/lib/drops/messages'
import { ApiError } from './call-api'

/** A problem with sending files. Its text is shown as a toast (docs/product.md#publishing). */
export class UploadError extends Error {}

type Sending = {
  method: string
  url: string
  body: FormData
  timeoutMs: number
  onLoaded: (loadedBytes: number, totalBytes: number) => void
}

/**
 * Sends a body and reports its progress. It uses XMLHttpRequest, because fetch cannot report upload progress. `done`
 * rejects with an ApiError when the server refuses. It rejects with an UploadError when the connection fails, when the
 * timeout is reached, when the response is not JSON, and when the upload is canceled. In the last case its text is
 * empty.
 */
export function sendBody<Result>({ method, url, body, timeoutMs, onLoaded }: Sending): {
  done: Promise<Result>
  cancel: () => void
} {
  const request = new XMLHttpRequest()
  let isSent = false
  const done = new Promise<Result>((resolve, reject) => {
    request.open(method, url)
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
  // Once the whole body has been sent, the server processes it, so canceling would only lose the response.
  const cancel = () => {
    if (!isSent) request.abort()
  }
  return { done, cancel }
}
