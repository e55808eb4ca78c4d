'use client'

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useTypedEarly } from '@/lib/client/use-typed-early'
import { controlClasses } from './control-classes'

type SelectProps = ComponentProps<'select'> & {
  /** True when it stands beside the buy button and needs the same height. */
  isTall?: boolean
}

/** The phone's native picker, styled like the other controls. */
export function Select({ isTall = false, className, children, ref, ...props }: SelectProps) {
  const element = useRef<HTMLSelectElement>(null)
  useImperativeHandle(ref, () => element.current!, [])
  useTypedEarly(element, props.value)
  const size = isTall ? 'h-13 text-lg' : 'h-12 text-base'
  return (
    <span className="relative block">
      <select ref={element} className={clsx(controlClasses, size, 'appearance-none pe-10', className)} {...props}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 end-3 size-5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
