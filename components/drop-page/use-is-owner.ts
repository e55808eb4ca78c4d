'use client'

import { useSyncExternalStore } from 'react'
import { readHint } from '@/lib/client/read-hint'
import { SELLER_HINT } from '@/lib/kernel/hint-cookies'

const never = () => () => undefined

/**
 * Returns true when the visitor seems to be the drop's seller. The server renders the same page for everyone (ADR
 * 0008), so this is known only after hydration. It is only a hint, because the server decides what an owner may see or
 * do (ADR 0015).
 */
export function useIsOwner(ownerId: number): boolean {
  return useSyncExternalStore(
    never,
    () => readHint(SELLER_HINT) === String(ownerId),
    () => false,
  )
}
