'use client'

import { useDebounced } from './use-debounced'

/** The second tap of an impatient thumb comes sooner. */
const SETTLE_MS = 700

/**
 * Whether something has only just changed: what appears under a thumb is not to be pressed by the tap that was meant for what
 * stood there before.
 */
export function useSettling(state: string, settleMs = SETTLE_MS): boolean {
  return useDebounced(state, settleMs) !== state
}
