import type { ComponentProps } from 'react'
import { Input } from './input'

type PrefixedInputProps = ComponentProps<typeof Input> & { prefix: string }

/** An input with fixed characters before the text; `className` has to make room for them. */
export function PrefixedInput({ prefix, ...props }: PrefixedInputProps) {
  return (
    <div className="relative">
      <span aria-hidden className="absolute inset-y-0 left-3.5 grid place-items-center text-muted">
        {prefix}
      </span>
      <Input {...props} />
    </div>
  )
}
