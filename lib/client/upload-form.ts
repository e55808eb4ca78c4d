import { MINUTE_MS } from '@/lib/kernel/time'
import { sendDirectly } from './send-directly'
import { sendBody } from './send-body'

export type UploadProgress = {
  loadedBytes: number
  totalBytes: number
  percent: number
  /** null until there is enough progress for an estimate. */
  secondsLeft: number | null
}

/** An upload may take 10 minutes (docs/product.md#publishing). */
const TIMEOUT_MS = 10 * MINUTE_MS
/** Before this time an estimate would jump around too much. */
const ESTIMATE_AFTER_MS = 1_500

/** The progress of an upload after `elapsedMs`, and the time left at the current rate. */
export function progressOf(loadedBytes: number, totalBytes: number, elapsedMs: number): UploadProgress {
  const percent = totalBytes > 0 ? Math.floor((loadedBytes / totalBytes) * 100) : 0
  const canEstimate = elapsedMs >= ESTIMATE_AFTER_MS && loadedBytes > 0
  const secondsLeft = canEstimate ? Math.ceil(((totalBytes - loadedBytes) * elapsedMs) / loadedBytes / 1_000) : null
  return { loadedBytes, totalBytes, percent, secondsLeft }
}

/** Sends a form with files, directly to the storage or to our server as the page says, and reports its progress. */
export function uploadForm<Result>(
  path: string,
  form: FormData,
  onProgress: (progress: UploadProgress) => void = () => undefined,
  method = 'POST',
): { done: Promise<Result>; cancel: () => void } {
  const startedAt = performance.now()
  const onLoaded = (loaded: number, total: number) =>
    onProgress(progressOf(loaded, total, performance.now() - startedAt))
  // The root layout sets this when files are sent to the storage without passing through our server (ADR 0032).
  return document.body.dataset.uploads === 'direct'
    ? sendDirectly<Result>({ method, path, form, timeoutMs: TIMEOUT_MS, onLoaded })
    : sendBody<Result>({ method, address: path, body: form, timeoutMs: TIMEOUT_MS, onLoaded })
}
