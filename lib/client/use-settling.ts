'use client'

import { useEffect, useState } from 'react'

/** The second tap of an accidental double tap comes sooner than this. */
export const SETTLE_MS = 700

/**
 * Whether a state has changed within the last `settleMs`, even if it has changed back since then. A button that has
 * just appeared should ignore taps during this time, because such taps were meant for the button that was in its place
 * before.
 */
export function useSettling(state: string, settleMs = SETTLE_MS): boolean {
  const [last, setLast] = useState({ state, changes: 0 })
  const [settledChanges, setSettledChanges] = useState(0)
  if (last.state !== state) setLast({ state, changes: last.changes + 1 })
  useEffect(() => {
    const timer = setTimeout(() => setSettledChanges(last.changes), settleMs)
    return () => clearTimeout(timer)
  }, [last.changes, settleMs])
  return last.changes !== settledChanges
}
