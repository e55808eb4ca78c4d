'use client'

import { clear, createStore, get, set, type UseStore } from 'idb-keyval'
import { storageKeys } from '@/lib/client/storage-keys'
import { newId } from '@/lib/kernel/id'

/** What is kept of an unpublished drop: its texts, the key it is sent with, and the number of its pictures. */
type Draft<Values> = { id: string; key?: string; userId: number; values: Values; pictures: number }

type Texts<Values> = { key: string; values: Values }

let store: UseStore | undefined
const pictures = () => (store ??= createStore('lastcall-create', 'pictures'))

function read<Values>(userId: number): Draft<Values> | null {
  try {
    const draft = JSON.parse(localStorage.getItem(storageKeys.createDraft) ?? 'null') as Draft<Values> | null
    return draft?.userId === userId ? draft : null
  } catch {
    return null
  }
}

/**
 * Loads this seller's draft from this browser. Texts and pictures are stored separately; when the pictures cannot be
 * restored, `lostPictures` says how many are missing.
 */
async function load<Values>(
  userId: number,
): Promise<{ key?: string; values: Values; pictures: File[]; lostPictures: number } | null> {
  const draft = read<Values>(userId)
  if (!draft) {
    // Either the seller has signed out or another seller is signed in, so the stored pictures are deleted and never
    // shown to somebody else.
    await clear(pictures()).catch(() => undefined)
    return null
  }
  const kept = await get<File[]>(draft.id, pictures()).catch(() => undefined)
  const files = Array.isArray(kept) ? kept : []
  return {
    key: draft.key,
    values: draft.values,
    pictures: files,
    lostPictures: Math.max(0, draft.pictures - files.length),
  }
}

/** Stores the typed texts at once. A browser that refuses to store anything does not stop the seller. */
function saveTexts<Values>(userId: number, { key, values }: Texts<Values>): void {
  const known = read<Values>(userId)
  write({ id: known?.id ?? newId('draft'), key, userId, values, pictures: known?.pictures ?? 0 })
}

async function savePictures<Values>(userId: number, { key, values }: Texts<Values>, files: File[]): Promise<void> {
  const id = read<Values>(userId)?.id ?? newId('draft')
  write({ id, key, userId, values, pictures: files.length })
  await set(id, files, pictures()).catch(() => undefined)
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
    // The storage is full or forbidden; the form still works without a draft.
  }
}

/** Keeps the draft of an unpublished drop in this browser. */
export const draftStore = { load, saveTexts, savePictures, forget }
