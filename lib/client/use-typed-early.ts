'use client'

import { type RefObject, useEffect, useRef } from 'react'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** React passes over an event that brings the value it knows, and what it knows is what it found in the page. */
function sayAgain(element: Control, served: string): void {
  const typed = element.value
  // So what was served is put back, and the browser's own setter, which React does not see, says what stands there.
  element.value = served
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, typed)
  element.dispatchEvent(new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
}

/**
 * What somebody typed, or a browser filled in, before the page was awake counts as typed: the control tells whoever keeps its
 * value. Without that it would stand there, be refused as missing, and vanish with the next drawing.
 * @param value what the page was served with; undefined for a control that keeps its own
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
