'use client'

import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useTypedEarly } from '@/lib/client/use-typed-early'
import { cn } from './class-names'
import { controlClasses } from './control-classes'

export function Input({ className, ref, ...props }: ComponentProps<'input'>) {
  const element = useRef<HTMLInputElement>(null)
  // useTypedEarly() needs a ref of its own, so the caller's ref is set to the same element.
  useImperativeHandle(ref, () => element.current!, [])
  useTypedEarly(element, props.value)
  return (
    <input ref={element} data-slot="input" className={cn(controlClasses, 'h-12 text-base', className)} {...props} />
  )
}
