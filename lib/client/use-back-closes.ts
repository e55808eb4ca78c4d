'use client'

import { useEffect, useRef } from 'react'

type Close = () => void

/** The sheets that are open, the uppermost last; together they are one step of the browser's history. */
const sheets: { current: Close }[] = []
let hasStep = false
let isDue = false

/** Whether anything lies over the page: then it stays, with what is typed there. */
export const isSheetOpen = () => sheets.length > 0

const isOurs = () => Boolean((window.history.state as { isSheet?: boolean } | null)?.isSheet)

/** Brings the step and the sheets together, once their changes are made: one that gives way to another keeps it. */
function settle(): void {
  if (isDue) return
  isDue = true
  setTimeout(() => {
    isDue = false
    if (sheets.length > 0 && !hasStep) {
      hasStep = true
      // What Next keeps there stays: the step is the same page.
      if (!isOurs()) window.history.pushState({ ...window.history.state, isSheet: true }, '')
    } else if (sheets.length === 0 && hasStep) {
      // After a way to another page the step lies behind it, and stays.
      if (isOurs()) window.history.back()
      else hasStep = false
    }
  })
}

function onPop(event: PopStateEvent): void {
  if (!hasStep || isOurs()) return
  hasStep = false
  // For Next nothing has happened; it would drop a refresh that is under way.
  event.stopImmediatePropagation()
  sheets.at(-1)?.current()
  settle()
}

/** While a sheet is open the phone's back button closes it, and leaves the page alone. */
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
