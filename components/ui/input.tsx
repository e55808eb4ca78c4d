'use client'

import { clsx } from 'clsx'
import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useTypedEarly } from '@/lib/client/use-typed-early'
import { controlClasses } from './control-classes'

export function Input({ className, ref, ...props }: ComponentProps<'input'>) {
  const element = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => element.current!, [])
  useTypedEarly(element, props.value)
  return <input ref={element} className={clsx(controlClasses, 'h-12 text-base', className)} {...props} />
}

export function Textarea({ className, ref, ...props }: ComponentProps<'textarea'>) {
  const element = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => element.current!, [])
  useTypedEarly(element, props.value)
  return (
    <textarea
      ref={element}
      className={clsx(controlClasses, 'min-h-28 py-3 text-base leading-relaxed', className)}
      {...props}
    />
  )
}
