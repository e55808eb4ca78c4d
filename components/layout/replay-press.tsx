'use client'

import { useEffect } from 'react'
import { whenIdle } from '@/lib/client/when-idle'

type UnhydratedWindow = {
  /** The form that UnhydratedForms stopped, or the button or link that was pressed, before hydration. */
  lastcallPressed?: HTMLElement
  /** The button with which that form was submitted, because a form may have several. */
  lastcallSubmitter?: HTMLElement | null
  /** True after hydration, for the scripts that run before it (UnhydratedForms, UnhydratedClock). */
  lastcallAwake?: boolean
}

/**
 * Submits the form that UnhydratedForms stopped before hydration, as soon as the page is hydrated. The form then has
 * everything that was typed by that time. A button or link that was pressed before hydration is pressed again.
 */
export function ReplayPress() {
  useEffect(() => {
    const unhydratedWindow = window as Window & UnhydratedWindow
    unhydratedWindow.lastcallAwake = true
    // The timeout makes this run after the fields have read the text that was typed before hydration.
    const task = setTimeout(() => {
      const { lastcallPressed: pressed, lastcallSubmitter: submitter } = unhydratedWindow
      delete unhydratedWindow.lastcallPressed
      delete unhydratedWindow.lastcallSubmitter
      if (!pressed?.isConnected) return
      if (pressed instanceof HTMLFormElement) pressed.requestSubmit(submitter?.isConnected ? submitter : null)
      // By then the gallery, which starts after hydration, can scroll.
      else whenIdle(() => pressed.click())
    })
    return () => clearTimeout(task)
  }, [])
  return null
}
