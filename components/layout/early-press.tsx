'use client'

import { useEffect } from 'react'

/** The form that was sent while the page slept (EarlyForms). */
type Sleeper = { lastcallPressed?: HTMLFormElement }

/** What was pressed too early happens as soon as the page is awake, with what has been typed by then. */
export function EarlyPress() {
  useEffect(() => {
    // After the fields have told what was typed early.
    const task = setTimeout(() => {
      const sleeper = window as Window & Sleeper
      const form = sleeper.lastcallPressed
      delete sleeper.lastcallPressed
      if (form?.isConnected) form.requestSubmit()
    })
    return () => clearTimeout(task)
  }, [])
  return null
}
