// Browsers may forbid storage, for example in a private window or when a visitor blocks the data of sites. Every use of
// sessionStorage then throws, even reading. Nothing on our pages depends on it, so these functions never throw.

/** Reads a string that this tab has kept; null when there is none or storage is forbidden. */
function get(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Keeps a string until the tab is closed. Does nothing when storage is forbidden or full. */
function set(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // The page works without it.
  }
}

function remove(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}

/** The storage of one tab, for what a reload should not lose. */
export const tabStorage = { get, set, remove }
