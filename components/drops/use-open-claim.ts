'use client'

import { useSyncExternalStore } from 'react'
import { pageListeners } from '@/lib/client/page-listeners'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import type { DropView } from '@/lib/drops/view'

const { subscribe } = pageListeners()

type Claim = { dropId: number; path: string; expiresAt: string }

/**
 * Stores in this tab that a unit of the drop is reserved for someone from the waitlist, and the page where it is bought.
 */
export function noteOpenClaim(claim: Claim): void {
  tabStorage.set(storageKeys.openClaim, JSON.stringify(claim))
}

/**
 * Returns the path of the page where a unit is reserved for this visitor, or null. The path is only a hint, because the
 * server decides. It is null while units are free, and while the visitor's own checkout holds the last ones.
 */
export function useOpenClaim(drop: DropView, isMine: boolean): string | null {
  const path = useSyncExternalStore(
    subscribe,
    () => readPath(drop.id),
    () => null,
  )
  return drop.state === 'live' && drop.available === 0 && !isMine ? path : null
}

function readPath(dropId: number): string | null {
  try {
    const kept = JSON.parse(tabStorage.get(storageKeys.openClaim) ?? 'null') as Partial<Claim> | null
    const isOpen = kept?.dropId === dropId && Date.parse(String(kept.expiresAt)) > Date.now()
    return isOpen && typeof kept.path === 'string' && /^\/claim\/[\w-]+$/.test(kept.path) ? kept.path : null
  } catch {
    return null
  }
}
