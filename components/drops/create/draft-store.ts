'use client'

import { clear, createStore, get, set, type UseStore } from 'idb-keyval'
import { storageKeys } from '@/lib/client/storage-keys'
import { newId } from '@/lib/kernel/id'

/**
 * The stored part of an unpublished drop: its texts, its idempotency key, the number of its pictures, and the keys of
 * those that were already sent, by photoMark().
 */
type Draft<Values> = {
  id: string
  key?: string
  userId: number
  values: Values
  pictures: number
  sent?: Record<string, string>
}

type Texts<Values> = { key: string; values: Values }

let store: UseStore | undefined
const pictures = () => (store ??= createStore(...storageKeys.draftPictures))

function read<Values>(userId: number): Draft<Values> | null {
  try {
    const draft = JSON.parse(localStorage.getItem(storageKeys.createDraft) ?? 'null') as Draft<Values> | null
    return draft?.userId === userId ? draft : null
  } catch {
    return null
  }
}

/**
 * Loads this seller's draft from this browser. Texts and pictures are stored separately. If the pictures cannot be
 * restored, `lostPictures` says how many are missing.
 */
async function load<Values>(userId: number): Promise<{
  key?: string
  values: Values
  pictures: File[]
  sent: Record<string, string>
  lostPictures: number
} | null> {
  const draft = read<Values>(userId)
  if (!draft) {
    // This seller has no draft here. The stored pictures may belong to another seller and are deleted, so that nobody
    // else sees them.
    await clear(pictures()).catch(() => undefined)
    return null
  }
  const kept = await get<File[]>(draft.id, pictures()).catch(() => undefined)
  const files = Array.isArray(kept) ? kept : []
  return {
    key: draft.key,
    values: draft.values,
    pictures: files,
    sent: draft.sent ?? {},
    lostPictures: Math.max(0, draft.pictures - files.length),
  }
}

/** Stores the typed texts right away. If the browser refuses to store anything, the seller can still go on. */
function saveTexts<Values>(userId: number, { key, values }: Texts<Values>): void {
  const known = read<Values>(userId)
  write({
    id: known?.id ?? newId('draft'),
    key,
    userId,
    values,
    pictures: known?.pictures ?? 0,
    ...(known?.sent ? { sent: known.sent } : {}),
  })
}

async function savePictures<Values>(userId: number, { key, values }: Texts<Values>, files: File[]): Promise<void> {
  const known = read<Values>(userId)
  const id = known?.id ?? newId('draft')
  write({ id, key, userId, values, pictures: files.length, ...(known?.sent ? { sent: known.sent } : {}) })
  await set(id, files, pictures()).catch(() => undefined)
}

/**
 * Identifies a photo of a draft. The keys of sent photos are stored by this text and not by the position in the list,
 * because another tab may have stored other photos.
 */
const photoMark = ({ name, size, lastModified }: File) => [name, size, lastModified].join()

/** Stores the keys of photos that were already sent. */
function saveSent(userId: number, sent: { file: File; key: string }[]): void {
  const known = read<unknown>(userId)
  if (known) write({ ...known, sent: Object.fromEntries(sent.map(({ file, key }) => [photoMark(file), key])) })
}

async function forget(): Promise<void> {
  try {
    localStorage.removeItem(storageKeys.createDraft)
  } catch {
    // Storage is not available, so the draft was never stored.
  }
  await clear(pictures()).catch(() => undefined)
}

function write<Values>(draft: Draft<Values>): void {
  try {
    localStorage.setItem(storageKeys.createDraft, JSON.stringify(draft))
  } catch {
    // The storage is full or forbidden. The form still works without a draft.
  }
}

/** Keeps the draft of an unpublished drop in this browser. */
export const draftStore = { load, saveTexts, savePictures, saveSent, photoMark, forget }
