import { UploadError } from '@/lib/client/send-body'
import { progressOf, type UploadProgress } from '@/lib/client/upload-form'
import type { PhotoQueue } from './photo-queue'

/**
 * Waits until no photo is being sent or is waiting to be sent. It does not wait for photos that could not be sent,
 * because they are sent with the form. `done` rejects with an empty UploadError when the waiting is canceled.
 */
export function awaitPhotos(
  { subscribe, read }: PhotoQueue,
  onProgress: (progress: UploadProgress) => void,
): { done: Promise<void>; cancel: () => void } {
  const startedAt = performance.now()
  let stop = () => {}
  let cancel = () => {}
  const done = new Promise<void>((resolve, reject) => {
    const look = () => {
      const states = [...read().values()]
      if (!states.some(({ kind }) => kind === 'waiting' || kind === 'sending')) {
        stop()
        return resolve()
      }
      const sum = (amount: 'loadedBytes' | 'totalBytes') => states.reduce((all, state) => all + state[amount], 0)
      onProgress(progressOf(sum('loadedBytes'), sum('totalBytes'), performance.now() - startedAt))
    }
    stop = subscribe(look)
    cancel = () => {
      stop()
      reject(new UploadError(''))
    }
    // The first check runs after this function has returned, so that the caller can already use its result.
    queueMicrotask(look)
  })
  return { done, cancel: () => cancel() }
}
