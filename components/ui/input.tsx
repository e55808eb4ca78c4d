'use client'

import { clsx } from 'clsx'
import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useTypedEarly } from '@/lib/client/use-typed-early'
import { controlClasses } from './control-classes'

export function Input({ className, ref, ...props }: ComponentProps<'input'>) {
  const element = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => element.current!, [])
  useTypedEarly(element, props.value)
  return (
    <input ref={element} data-slot="input" className={clsx(controlClasses, 'h-12 text-base', className)} {...props} />
  )
}
