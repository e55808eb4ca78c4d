/**
 * Wraps one of the browser's storages. Browsers may forbid storage, for example in a private window or when a visitor
 * blocks the data of sites. Every use then throws, even reading. Nothing on our pages depends on it, so the returned
 * functions never throw.
 * @param open returns the storage
 */
export function safeStorage(open: () => Storage) {
  return {
    /** Reads a string; null when there is none or storage is forbidden. */
    get(key: string): string | null {
      try {
        return open().getItem(key)
      } catch {
        return null
      }
    },
    /** Keeps a string. Does nothing when storage is forbidden or full. */
    set(key: string, text: string): void {
      try {
        open().setItem(key, text)
      } catch {
        // The page works without it.
      }
    },
    remove(key: string): void {
      try {
        open().removeItem(key)
      } catch {
        // Nothing was kept.
      }
    },
  }
}
