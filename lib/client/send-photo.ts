import { MINUTE_MS } from '@/lib/kernel/time'
import type { KeptPhoto, StartedUpload } from '@/lib/uploads/view'
import { arrivedFiles } from './arrived-files'
import { callApi } from './call-api'
import { areUploadsDirect } from './are-uploads-direct'
import { lightPhoto } from './light-photo'
import { sendBody, UploadError } from './send-body'

/** How long one photo may take. It is the same time as for the form. */
const TIMEOUT_MS = 10 * MINUTE_MS

type Progress = (loadedBytes: number, totalBytes: number) => void

/**
 * Sends one photo before its form and remembers its key. `done` rejects with the same errors as that of sendBody(). The
 * photo can then be sent again, by itself or with the form.
 */
export function sendPhoto(photo: File, onLoaded: Progress): { done: Promise<void>; cancel: () => void } {
  const state = { isCanceled: false, cancel: () => {} }
  const done = send(photo, onLoaded, state)
  const cancel = () => {
    state.isCanceled = true
    state.cancel()
  }
  return { done, cancel }
}

async function send(photo: File, onLoaded: Progress, state: { isCanceled: boolean; cancel: () => void }) {
  const file = await lightPhoto(photo)
  if (arrivedFiles.has(file)) return
  if (state.isCanceled) throw new UploadError('')
  const started = areUploadsDirect() ? await start(file) : null
  if (state.isCanceled) throw new UploadError('')
  const body = new FormData()
  if (started) body.set('file', file.slice(0, file.size, started.contentType), started.fileName)
  else body.set('photo', file, file.name)
  const method = started ? 'PUT' : 'POST'
  const url = started?.url ?? '/api/uploads/photo'
  const sending = sendBody<KeptPhoto | undefined>({ method, url, body, timeoutMs: TIMEOUT_MS, onLoaded })
  state.cancel = sending.cancel
  const answer = await sending.done
  arrivedFiles.set(file, started?.key ?? answer?.key ?? '')
}

async function start(file: File): Promise<StartedUpload | null> {
  const files = [{ purpose: 'picture', fileName: file.name || 'photo', bytes: file.size }]
  return (await callApi<{ uploads: StartedUpload[] }>('POST', '/api/uploads', { files })).uploads[0] ?? null
}
