'use client'

import { useSyncExternalStore } from 'react'
import { browserStorage } from '@/lib/client/browser-storage'
import { pageListeners } from '@/lib/client/page-listeners'
import { storageKeys } from '@/lib/client/storage-keys'
import type { DropView } from '@/lib/drops/view'

const { subscribe } = pageListeners()

type Claim = { dropId: number; path: string; expiresAt: string }

/**
 * Stores in this browser that a unit of the drop is reserved for someone from the waitlist, and the page where it is
 * bought.
 */
export function noteOpenClaim(claim: Claim): void {
  browserStorage.set(storageKeys.openClaim, JSON.stringify(claim))
}

/** Removes the note of a claim for this drop. It is called when the unit is paid. */
export function forgetOpenClaim(dropId: number): void {
  if (readClaim(dropId)) browserStorage.remove(storageKeys.openClaim)
}

/**
 * Returns the path of the page where a unit is reserved for this visitor, or null. The path is only a hint, because the
 * server decides. It is null while units are free, and while the visitor's own checkout holds the last ones. A unit
 * stays reserved when the drop ends.
 */
export function useOpenClaim(drop: DropView, isMine: boolean): string | null {
  const path = useSyncExternalStore(
    subscribe,
    () => readPath(drop.id),
    () => null,
  )
  const isNeeded = drop.state === 'ended' || (drop.state === 'live' && drop.available === 0)
  return isNeeded && !isMine ? path : null
}

/** Returns when the unit is no longer reserved for this visitor; null when it is not known. */
export function readClaimEnd(dropId: number): Date | null {
  const claim = readClaim(dropId)
  return claim && new Date(claim.expiresAt)
}

const readPath = (dropId: number) => readClaim(dropId)?.path ?? null

function readClaim(dropId: number): Claim | null {
  const claim = readOpenClaim()
  return claim?.dropId === dropId ? claim : null
}

/** Returns the claim that this browser stores, for any drop. Returns null once its unit is no longer reserved. */
export function readOpenClaim(): Claim | null {
  try {
    const kept = JSON.parse(browserStorage.get(storageKeys.openClaim) ?? 'null') as Partial<Claim> | null
    const { dropId, path, expiresAt } = { ...kept, expiresAt: String(kept?.expiresAt) }
    if (typeof dropId !== 'number' || !(Date.parse(expiresAt) > Date.now())) return null
    return typeof path === 'string' && /^\/claim\/[\w-]+$/.test(path) ? { dropId, path, expiresAt } : null
  } catch {
    return null
  }
}
