'use client'

import { ChevronDown } from 'lucide-react'
import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useUnhydratedInput } from '@/lib/client/use-unhydrated-input'
import { cn } from './class-names'
import { controlClasses } from './control-classes'

const sizes = {
  sm: 'h-11 text-sm',
  default: 'h-12 text-base',
  // This is the height of the buy button beside the quantity.
  lg: 'h-13 text-lg',
}

type NativeSelectProps = Omit<ComponentProps<'select'>, 'size'> & { size?: keyof typeof sizes }

/** Styles the browser's own select like the other controls. On a phone it opens the system's picker. */
export function NativeSelect({ size = 'default', className, children, ref, ...props }: NativeSelectProps) {
  const element = useRef<HTMLSelectElement>(null)
  // useUnhydratedInput() needs a ref of its own, so the caller's ref is set to the same element.
  useImperativeHandle(ref, () => element.current!, [])
  useUnhydratedInput(element, props.value)
  return (
    <span className="relative block">
      <select
        ref={element}
        data-slot="native-select"
        className={cn(controlClasses, sizes[size], 'appearance-none pe-10', className)}
        {...props}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 end-3 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}

export function NativeSelectOption(props: ComponentProps<'option'>) {
  return <option data-slot="native-select-option" {...props} />
}

export function NativeSelectOptGroup(props: ComponentProps<'optgroup'>) {
  return <optgroup data-slot="native-select-optgroup" {...props} />
}
