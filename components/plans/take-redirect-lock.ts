/** SPEC §9, redirect lock: a second redirect to the payment provider is held back for 5 seconds. */
const LOCK_MS = 5_000

let lockedUntil = 0

/** Takes the lock, which ends by itself. @returns false while somebody else in this tab has it. */
export function takeRedirectLock(): boolean {
  const now = Date.now()
  if (now < lockedUntil) return false
  lockedUntil = now + LOCK_MS
  return true
}

/** Gives it back early: the redirect did not come about. */
export function releaseRedirectLock(): void {
  lockedUntil = 0
}
