'use client'

import { type ReactNode, useId } from 'react'
import { Switch } from './switch'

type SwitchFieldProps = {
  label: string
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (isChecked: boolean) => void
  disabled?: boolean
}

/** A switch with a label and a hint. A tap on the label or the hint also changes the switch. */
export function SwitchField({ label, hint, checked, onCheckedChange, disabled }: SwitchFieldProps) {
  const id = useId()
  return (
    <div className="flex min-h-14 items-center justify-between gap-4 py-2">
      <label htmlFor={id} className="grid flex-1 cursor-pointer gap-0.5 py-1">
        <span className="font-semibold">{label}</span>
        {hint ? (
          <span id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </span>
        ) : null}
      </label>
      <Switch
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
      />
    </div>
  )
}
