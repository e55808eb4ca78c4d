'use client'

import { useSyncExternalStore } from 'react'
import { readHint } from '@/lib/client/read-hint'
import { SELLER_HINT } from '@/lib/kernel/hint-cookies'

const never = () => () => undefined

/**
 * Returns true when the drop's seller seems to look at the page. The page is the same for everybody (ADR 0008), so this
 * is known only after hydration, and it is only a hint: the server decides what an owner may see or do (ADR 0015).
 */
export function useIsOwner(ownerId: number): boolean {
  return useSyncExternalStore(
    never,
    () => readHint(SELLER_HINT) === String(ownerId),
    () => false,
  )
}
