'use client'

import { useEffect, useRef } from 'react'

type Close = () => void

/** The open sheets, the topmost last. All of them together are one entry of the browser's history. */
const sheets: { current: Close }[] = []
/** Whether that entry was added and not yet removed. */
let hasStep = false
/** Whether settle() has already scheduled its work. */
let isDue = false

/** Whether a sheet is open over the page. The page must not be replaced then, or what was typed would be lost. */
export const isSheetOpen = () => sheets.length > 0

/** Whether the browser is at that entry now. */
const isOurs = () => Boolean((window.history.state as { isSheet?: boolean } | null)?.isSheet)

/**
 * Adds or removes the history entry after the sheets have changed. It waits for all changes, so that a sheet that opens
 * as another one closes reuses the entry.
 */
function settle(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    if (sheets.length > 0 && !hasStep) {
      hasStep = true
      // Next's own state is kept in the entry, because it is the same page.
      if (!isOurs()) window.history.pushState({ ...window.history.state, isSheet: true }, '')
    } else if (sheets.length === 0 && hasStep) {
      // After a navigation to another page our entry lies behind that page's, and cannot be removed.
      if (isOurs()) window.history.back()
      else hasStep = false
    }
  })
}

function onPop(event: PopStateEvent): void {
  if (!hasStep || isOurs()) return
  hasStep = false
  // The event is hidden from Next, which would drop a refresh in progress, although the page did not change.
  event.stopImmediatePropagation()
  sheets.at(-1)?.current()
  settle()
}

/** While a sheet is open, the phone's back button calls `close` and does not leave the page. */
export function useBackCloses(isOpen: boolean, close: Close): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    window.addEventListener('popstate', onPop, { capture: true })
    sheets.push(latest)
    settle()
    return () => {
      sheets.splice(sheets.indexOf(latest), 1)
      settle()
    }
  }, [isOpen])
}
