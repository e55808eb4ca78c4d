'use client'

import { useEffect, useRef } from 'react'

type FocusedHeadingProps = { children: string; className: string; 'aria-describedby'?: string }

/**
 * Shows the heading of content that has just replaced other content. The heading takes the focus, so that a screen
 * reader reads it out.
 */
export function FocusedHeading({ children, ...props }: FocusedHeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <h1 ref={ref} tabIndex={-1} {...props}>
      {children}
    </h1>
  )
}
