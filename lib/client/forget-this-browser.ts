import { storageKeys } from './storage-keys'

/**
 * Deletes everything that our pages keep in this browser, except cookies: both storages, and the pictures of an
 * unpublished drop. Never fails: a browser may forbid each of these, and then nothing was stored there.
 */
export async function forgetThisBrowser(): Promise<void> {
  for (const storage of [() => localStorage, () => sessionStorage]) {
    try {
      storage().clear()
    } catch {
      // The browser forbids this storage.
    }
  }
  try {
    const { clear, createStore } = await import('idb-keyval')
    await clear(createStore(...storageKeys.draftPictures))
  } catch {
    // The browser forbids databases, or the script cannot be loaded without a connection.
  }
}
