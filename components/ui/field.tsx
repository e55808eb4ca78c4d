import { clsx } from 'clsx'
import type { ReactNode } from 'react'

type FieldProps = {
  id: string
  label: string
  hint?: ReactNode
  error?: string | undefined
  optional?: boolean
  className?: string
  children: ReactNode
}

/** Returns the ids that connect a control with its hint and its error. */
export function describedBy(id: string, parts: { hint?: boolean; error?: boolean }): string | undefined {
  const ids = [parts.error ? `${id}-error` : null, parts.hint ? `${id}-hint` : null].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

/** A control with its label above it, and its hint and error below it. */
export function Field({ id, label, hint, error, optional, className, children }: FieldProps) {
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
        {optional ? <span className="font-normal text-muted"> (optional)</span> : null}
      </label>
      {children}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </div>
      ) : null}
    </div>
  )
}
