'use client'

import { useEffect, useRef } from 'react'

type Close = () => void

/** The open sheets, the topmost last. All of them together have a single entry in the browser's history. */
const sheets: { current: Close }[] = []
/** Whether the sheets' history entry exists. */
let hasStep = false
/** Whether a run of settle() is already scheduled. */
let isDue = false
/** Whether settle() is removing the history entry. The browser reports that with a popstate event a moment later. */
let isRemoving = false

/**
 * Whether a sheet is open over the page. While one is open the page must not be replaced, or typed input would be lost.
 */
export const isSheetOpen = () => sheets.length > 0

/** Whether the browser is at the sheets' history entry now. */
const isOurs = () => Boolean((window.history.state as { isSheet?: boolean } | null)?.isSheet)

/**
 * Schedules the addition or removal of the history entry after the open sheets have changed. It runs after all current
 * changes, so that a sheet that opens while another one closes reuses the entry.
 */
function settle(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    if (isRemoving) return
    if (sheets.length > 0 && !hasStep) {
      hasStep = true
      // Next's own state is kept in the entry, because it is the same page.
      if (!isOurs()) window.history.pushState({ ...window.history.state, isSheet: true }, '')
    } else if (sheets.length === 0 && hasStep) {
      // After a navigation to another page our entry lies behind that page's entry and cannot be removed.
      isRemoving = isOurs()
      if (isRemoving) window.history.back()
      else hasStep = false
    }
  })
}

function onPop(event: PopStateEvent): void {
  const isRemoved = isRemoving
  isRemoving = false
  if (!hasStep || isOurs()) return
  hasStep = false
  // Next must not see this event. Although the page has not changed, Next would cancel a refresh that is in progress.
  event.stopImmediatePropagation()
  // Nobody went back when settle() removed the entry, so a sheet that has opened since then stays open.
  if (!isRemoved) sheets.at(-1)?.current()
  settle()
}

/**
 * Makes the browser's back button close the sheet instead of leaving the page. With several open sheets it calls only
 * the `close` of the topmost one.
 */
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
