'use client'

import { useEffect, useRef } from 'react'

/** Says why a payment did not go through. The message takes the focus, so that a screen reader reads it out. */
export function PaymentProblem({ text }: { text: string | null }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (text) element.current?.focus()
  }, [text])
  if (!text) return null
  return (
    <p ref={element} tabIndex={-1} role="alert" className="rounded-control bg-bad/8 px-4 py-3 text-bad">
      {text}
    </p>
  )
}
