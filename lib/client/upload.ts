import { MINUTE_MS } from '@/lib/kernel/time'
import { sendDirectly } from './send-directly'
import { sendBody } from './send-body'

export type UploadProgress = {
  loadedBytes: number
  totalBytes: number
  percent: number
  /** null until there is something to reckon with. */
  secondsLeft: number | null
}

/** SPEC §9: an upload may take 10 minutes. */
const TIMEOUT_MS = 10 * MINUTE_MS
/** Before this an estimate is only noise. */
const ESTIMATE_AFTER_MS = 1_500

/** How far an upload is after `elapsedMs`, and how long the rest takes at this rate. */
export function progressOf(loadedBytes: number, totalBytes: number, elapsedMs: number): UploadProgress {
  const percent = totalBytes > 0 ? Math.floor((loadedBytes / totalBytes) * 100) : 0
  const canEstimate = elapsedMs >= ESTIMATE_AFTER_MS && loadedBytes > 0
  const secondsLeft = canEstimate ? Math.ceil(((totalBytes - loadedBytes) * elapsedMs) / loadedBytes / 1_000) : null
  return { loadedBytes, totalBytes, percent, secondsLeft }
}

/** Sends a form with files through the door that the server names, and tells how far it is. */
export function uploadForm<Result>(
  path: string,
  form: FormData,
  onProgress: (progress: UploadProgress) => void = () => undefined,
  method = 'POST',
): { done: Promise<Result>; cancel: () => void } {
  const startedAt = performance.now()
  const onLoaded = (loaded: number, total: number) =>
    onProgress(progressOf(loaded, total, performance.now() - startedAt))
  // The root layout says so where files go to the storage without passing through us (ADR 0032).
  return document.body.dataset.uploads === 'direct'
    ? sendDirectly<Result>({ method, path, form, timeoutMs: TIMEOUT_MS, onLoaded })
    : sendBody<Result>({ method, address: path, body: form, timeoutMs: TIMEOUT_MS, onLoaded })
}
