'use client'

import { type RefObject, useEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Makes React notice a value that was typed before hydration. React ignores an input event whose value it already
 * knows, and during hydration it has recorded the value that it found in the page.
 */
function replayInput(element: Control, served: string): void {
  const typed = element.value
  // The first line restores the served value through React's setter. The second sets the typed value through the
  // browser's own setter, which React does not see. The event then reports a value that is new to React.
  element.value = served
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, typed)
  element.dispatchEvent(new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/**
 * Reports a value that was typed or filled in before hydration, as if it had been typed afterwards. Without this hook
 * the value would stay visible, be refused as missing, and disappear with the next render.
 * @param value the value that the page was served with, or undefined for an uncontrolled field.
 */
export function useUnhydratedInput(control: RefObject<Control | null>, value: unknown): void {
  const served = useRef(value)
  // A layout effect would be too early: react-hook-form subscribes to a field in a layout effect that runs after this
  // component's own, and would miss the event.
  useEffect(() => {
    const element = control.current
    if (!element || served.current === undefined || element.value === String(served.current)) return
    replayInput(element, String(served.current))
  }, [control])
}
