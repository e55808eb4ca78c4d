import { ApiError } from '@/lib/client/call-api'
import { arrivedFiles } from '@/lib/client/arrived-files'
import { lightPhoto } from '@/lib/client/light-photo'
import { UploadError } from '@/lib/client/send-body'
import { sendPhoto } from '@/lib/client/send-photo'
import type { PickedPicture } from '@/lib/drops/schema'

/** How far a photo has been sent. `text` of a failed photo is the server's refusal, if there is one. */
export type PhotoState = {
  kind: 'waiting' | 'sending' | 'sent' | 'failed'
  loadedBytes: number
  totalBytes: number
  text?: string
}

type States = ReadonlyMap<string, PhotoState>

/** The states of photos by their ids, and what can be done with them. */
export type PhotoQueue = {
  subscribe: (listener: () => void) => () => void
  read: () => States
  /** Begins to send photos that are new in the form, and stops sending those that were removed. */
  follow: (pictures: PickedPicture[]) => void
  /** Retries the photos that could not be sent, unless the server refused them. */
  retry: () => void
  /** Notes that a photo of a restored draft was already sent under this key. */
  restore: (photo: File, key: string) => Promise<void>
}

/**
 * Sends the photos of the form one after the other while the seller types, so that publishing does not have to wait for
 * them. A photo that cannot be sent stays in the form and is sent with it.
 */
export function createPhotoQueue(): PhotoQueue {
  let states: States = new Map()
  let pictures: PickedPicture[] = []
  let current: { id: string; cancel: () => void } | null = null
  const restoring = new Set<Promise<void>>()
  const listeners = new Set<() => void>()

  function set(id: string, state: PhotoState): void {
    if (!pictures.some((picture) => picture.id === id)) return
    states = new Map(states).set(id, state)
    for (const listener of listeners) listener()
  }

  async function sendNext(): Promise<void> {
    const next = pictures.find(({ id }) => states.get(id)?.kind === 'waiting')
    if (current || !next) return
    const { id, file } = next
    const size = { loadedBytes: 0, totalBytes: file.size }
    current = { id, cancel: () => {} }
    set(id, { kind: 'sending', ...size })
    await Promise.all(restoring)
    try {
      const sending = sendPhoto(file, (loadedBytes, totalBytes) =>
        set(id, { kind: 'sending', loadedBytes, totalBytes }),
      )
      current.cancel = sending.cancel
      if (!pictures.some((picture) => picture.id === id)) sending.cancel()
      await sending.done
      const { totalBytes } = states.get(id) ?? size
      set(id, { kind: 'sent', loadedBytes: totalBytes, totalBytes })
    } catch (error) {
      // A refusal of the photo itself will not change. After any other failure, the next attempt may succeed. An empty
      // message means that the upload was canceled.
      const isRefused = error instanceof ApiError && (error.status === 413 || error.status === 415)
      if (!(error instanceof UploadError && error.message === ''))
        set(id, { kind: 'failed', ...size, ...(isRefused ? { text: error.text } : {}) })
    }
    current = null
    void sendNext()
  }

  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    read: () => states,
    follow(now) {
      pictures = now
      const known = now.map(({ id, file }): [string, PhotoState] => [
        id,
        states.get(id) ?? { kind: 'waiting', loadedBytes: 0, totalBytes: file.size },
      ])
      states = new Map(known)
      if (current && !states.has(current.id)) current.cancel()
      for (const listener of listeners) listener()
      void sendNext()
    },
    retry() {
      for (const { id, file } of pictures) {
        const state = states.get(id)
        if (state?.kind === 'failed' && !state.text) set(id, { kind: 'waiting', loadedBytes: 0, totalBytes: file.size })
      }
      void sendNext()
    },
    async restore(photo, key) {
      const restored = lightPhoto(photo).then((file) => void arrivedFiles.set(file, key))
      restoring.add(restored)
      await restored
      restoring.delete(restored)
    },
  }
}
