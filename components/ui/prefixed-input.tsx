import type { ComponentProps } from 'react'
import { Input } from './input'

type PrefixedInputProps = ComponentProps<typeof Input> & { prefix: string }

/** An input that shows a fixed prefix before the text. `className` has to add left padding for the prefix. */
export function PrefixedInput({ prefix, ...props }: PrefixedInputProps) {
  return (
    <div className="relative">
      <span aria-hidden className="absolute inset-y-0 start-3.5 grid place-items-center text-muted">
        {prefix}
      </span>
      <Input {...props} />
    </div>
  )
}
