/** How long a second redirect to the payment provider is blocked, so that a double tap does not open two checkouts. */
const LOCK_MS = 5_000

let lockedUntil = 0

/**
 * Takes the lock of this tab, which expires after LOCK_MS.
 * @returns false while the lock is already taken.
 */
export function takeRedirectLock(): boolean {
  const now = Date.now()
  if (now < lockedUntil) return false
  lockedUntil = now + LOCK_MS
  return true
}

/** Releases the lock early. Callers use it when the redirect has failed. */
export function releaseRedirectLock(): void {
  lockedUntil = 0
}
