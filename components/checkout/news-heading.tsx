'use client'

import { useEffect, useRef } from 'react'

type NewsHeadingProps = { children: string; className: string; 'aria-describedby'?: string }

/** The heading of what has just taken the place of something else: the focus goes there, and a screen reader says it. */
export function NewsHeading({ children, ...props }: NewsHeadingProps) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <h1 ref={ref} tabIndex={-1} {...props}>
      {children}
    </h1>
  )
}
