/**
 * A second redirect to the payment provider is blocked for 5 seconds, so that a double tap does not open two checkouts.
 */
const LOCK_MS = 5_000

let lockedUntil = 0

/** Takes the lock, which ends by itself. @returns false while another caller in this tab holds it. */
export function takeRedirectLock(): boolean {
  const now = Date.now()
  if (now < lockedUntil) return false
  lockedUntil = now + LOCK_MS
  return true
}

/** Releases the lock early, because the redirect did not happen. */
export function releaseRedirectLock(): void {
  lockedUntil = 0
}
