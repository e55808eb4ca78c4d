'use client'

import { useDebounced } from './use-debounced'

/** The second tap of an accidental double tap comes sooner than this. */
const SETTLE_MS = 700

/**
 * Whether a state has changed only a moment ago. A button that has just appeared should ignore taps during this time,
 * because they were meant for what was in the same place before.
 */
export function useSettling(state: string, settleMs = SETTLE_MS): boolean {
  return useDebounced(state, settleMs) !== state
}
