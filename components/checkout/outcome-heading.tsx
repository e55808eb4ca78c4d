'use client'

import { useEffect, useRef } from 'react'

/** Whether this page said that the payment is being confirmed. */
let wasConfirming = false

/** Stores that this page says that the payment is being confirmed. */
export function noteConfirming(): void {
  wasConfirming = true
}

/**
 * Shows the heading of a payment's outcome. When it replaces the page that waits for the confirmation, the heading
 * takes the focus, so that a screen reader reads it out.
 */
export function OutcomeHeading({ children }: { children: string }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (wasConfirming) ref.current?.focus()
    wasConfirming = false
  }, [])
  return (
    <h1 ref={ref} tabIndex={-1} className="text-4xl font-extrabold">
      {children}
    </h1>
  )
}
