'use client'

import { type RefObject, useEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/**
 * Makes React notice a value that it did not see being typed. React ignores an input event whose value it already
 * knows, and it has recorded the value that it found in the page during hydration.
 */
function sayAgain(element: Control, served: string): void {
  const typed = element.value
  // Restores the served value through React's setter, then sets the typed one through the browser's own setter, which
  // React does not see: the event then brings a value that is new to React.
  element.value = served
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, typed)
  element.dispatchEvent(new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/**
 * Reports a value that was typed or filled in before hydration, as if it had been typed afterwards. Without this the
 * value would stay visible, be refused as missing, and disappear with the next render.
 * @param value the value that the page was served with; undefined for an uncontrolled field
 */
export function useTypedEarly(control: RefObject<Control | null>, value: unknown): void {
  const served = useRef(value)
  // Not in a layout effect: react-hook-form subscribes to a field in a layout effect that runs after this component's own,
  // and would miss the event.
  useEffect(() => {
    const element = control.current
    if (!element || served.current === undefined || element.value === String(served.current)) return
    sayAgain(element, String(served.current))
  }, [control])
}
