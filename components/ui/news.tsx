'use client'

import { type ReactNode, useEffect, useRef } from 'react'

type NewsProps = { className?: string; takesFocus?: boolean; children: ReactNode }

/**
 * Shows what has just replaced a form or a button. It takes the focus, which would otherwise be lost with them, so that
 * a screen reader reads it out.
 */
export function News({ className, takesFocus = true, children }: NewsProps) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) ref.current?.focus()
  }, [takesFocus])
  return (
    <div ref={ref} tabIndex={-1} className={className}>
      {children}
    </div>
  )
}
