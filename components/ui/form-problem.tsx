'use client'

import { useEffect, useRef } from 'react'

type FormProblemProps = {
  /** react-hook-form makes a new object for every failed submit, even when the message is the same. */
  error: { message?: string | undefined } | undefined
  /** When true, every new `error` object moves the focus to the message. */
  takesFocus?: boolean
}

/** Shows what is wrong with a form as a whole. */
export function FormProblem({ error, takesFocus = false }: FormProblemProps) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (error && takesFocus) element.current?.focus()
  }, [error, takesFocus])
  if (!error?.message) return null
  return (
    <p
      ref={element}
      tabIndex={takesFocus ? -1 : undefined}
      role="alert"
      className="rounded-control bg-bad/10 px-4 py-3 text-sm font-medium text-bad"
    >
      {error.message}
    </p>
  )
}
