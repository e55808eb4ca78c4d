'use client'

import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useUnhydratedInput } from '@/lib/client/use-unhydrated-input'
import { cn } from './class-names'
import { controlClasses } from './control-classes'

export function Input({ className, ref, ...props }: ComponentProps<'input'>) {
  const element = useRef<HTMLInputElement>(null)
  // useUnhydratedInput() needs a ref of its own, so the caller's ref is set to the same element.
  useImperativeHandle(ref, () => element.current!, [])
  useUnhydratedInput(element, props.value)
  return (
    <input ref={element} data-slot="input" className={cn(controlClasses, 'h-12 text-base', className)} {...props} />
  )
}
