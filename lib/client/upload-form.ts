import { MINUTE_MS } from '@/lib/kernel/time'
import { areUploadsDirect } from './are-uploads-direct'
import { arrivedFiles } from './arrived-files'
import { sendDirectly } from './send-directly'
import { sendBody } from './send-body'

export type UploadProgress = {
  loadedBytes: number
  totalBytes: number
  percent: number
  /** Null until there is enough progress for an estimate. */
  secondsLeft: number | null
}

/** An upload may take 10 minutes (docs/product.md#publishing). */
const TIMEOUT_MS = 10 * MINUTE_MS
/** Estimates begin after this time, because earlier ones would jump around too much. */
const ESTIMATE_AFTER_MS = 1_500

/** Returns the progress of an upload after `elapsedMs`, and the time left at the average rate so far. */
export function progressOf(loadedBytes: number, totalBytes: number, elapsedMs: number): UploadProgress {
  const percent = totalBytes > 0 ? Math.floor((loadedBytes / totalBytes) * 100) : 0
  const canEstimate = elapsedMs >= ESTIMATE_AFTER_MS && loadedBytes > 0
  const secondsLeft = canEstimate ? Math.ceil(((totalBytes - loadedBytes) * elapsedMs) / loadedBytes / 1_000) : null
  return { loadedBytes, totalBytes, percent, secondsLeft }
}

/** Whether the form has files, and all of them were sent before. */
function hasArrived(form: FormData): boolean {
  const files = [...form.values()].filter((value) => value instanceof File)
  return files.length > 0 && files.every((file) => arrivedFiles.has(file))
}

/**
 * Sends a form with files and reports its progress. The files go directly to the storage if areUploadsDirect(), and
 * otherwise to our server. Of files that were sent before the form, only the keys are sent.
 */
export function uploadForm<Result>(
  path: string,
  form: FormData,
  onProgress: (progress: UploadProgress) => void = () => undefined,
  method = 'POST',
): { done: Promise<Result>; cancel: () => void } {
  const startedAt = performance.now()
  const onLoaded = (loaded: number, total: number) =>
    onProgress(progressOf(loaded, total, performance.now() - startedAt))
  return areUploadsDirect() || hasArrived(form)
    ? sendDirectly<Result>({ method, path, form, timeoutMs: TIMEOUT_MS, onLoaded })
    : sendBody<Result>({ method, url: path, body: form, timeoutMs: TIMEOUT_MS, onLoaded })
}
