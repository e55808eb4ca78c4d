'use client'

import { useSyncExternalStore } from 'react'
import { canUsePasskeys } from './ask-passkey'

const never = () => () => undefined

/** Whether this browser can use passkeys; null on the server and during hydration. */
export function useCanUsePasskeys(): boolean | null {
  return useSyncExternalStore<boolean | null>(never, canUsePasskeys, () => null)
}
