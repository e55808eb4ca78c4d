'use client'

import { useEffect } from 'react'

/** The form that was submitted before hydration (EarlyForms). */
type Sleeper = { lastcallPressed?: HTMLFormElement }

/** Submits a form that was submitted too early as soon as the page is hydrated, with what has been typed by then. */
export function EarlyPress() {
  useEffect(() => {
    // This runs after the fields have read what was typed before hydration.
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
