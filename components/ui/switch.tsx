'use client'

import { Switch as Radix } from 'radix-ui'
import { type ReactNode, useId } from 'react'

type SwitchFieldProps = {
  label: string
  hint?: ReactNode
  checked: boolean
  onCheckedChange: (isChecked: boolean) => void
  disabled?: boolean
}

/** A row that switches something on and off. The whole row can be tapped. */
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
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={onCheckedChange}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="group grid h-11 w-14 shrink-0 place-items-center rounded-control disabled:cursor-not-allowed disabled:opacity-60"
      >
        <span className="relative h-7 w-12 rounded-full bg-control transition-colors duration-150 group-data-[state=checked]:bg-good">
          <Radix.Thumb className="absolute top-0.5 left-0.5 size-6 rounded-full bg-white shadow transition-transform duration-150 data-[state=checked]:translate-x-5" />
        </span>
      </Radix.Root>
    </div>
  )
}
