'use client'

import { useEffect } from 'react'
import { whenIdle } from '@/lib/client/when-idle'

type EarlyWindow = {
  /** The form that was submitted and stopped, or the button or link that was pressed, before hydration (EarlyForms). */
  lastcallPressed?: HTMLElement
  /** The button with which that form was submitted, because a form may have several. */
  lastcallSubmitter?: HTMLElement | null
  /** True after hydration, for the scripts that run before it (EarlyForms, EarlyClock). */
  lastcallAwake?: boolean
}

/**
 * Submits the form that EarlyForms stopped before hydration, as soon as the page is hydrated. The form then has
 * everything that was typed by that time. A button or link that was pressed before hydration is pressed again.
 */
export function EarlyPress() {
  useEffect(() => {
    const earlyWindow = window as Window & EarlyWindow
    earlyWindow.lastcallAwake = true
    // The timeout makes this run after the fields have read the text that was typed before hydration.
    const task = setTimeout(() => {
      const { lastcallPressed: pressed, lastcallSubmitter: submitter } = earlyWindow
      delete earlyWindow.lastcallPressed
      delete earlyWindow.lastcallSubmitter
      if (!pressed?.isConnected) return
      if (pressed instanceof HTMLFormElement) pressed.requestSubmit(submitter?.isConnected ? submitter : null)
      // By then the gallery, which starts after hydration, can scroll.
      else whenIdle(() => pressed.click())
    })
    return () => clearTimeout(task)
  }, [])
  return null
}
