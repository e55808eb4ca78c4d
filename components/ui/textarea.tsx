'use client'

import { clsx } from 'clsx'
import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useTypedEarly } from '@/lib/client/use-typed-early'
import { controlClasses } from './control-classes'

export function Textarea({ className, ref, ...props }: ComponentProps<'textarea'>) {
  const element = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => element.current!, [])
  useTypedEarly(element, props.value)
  return (
    <textarea
      ref={element}
      data-slot="textarea"
      className={clsx(controlClasses, 'min-h-28 py-3 text-base leading-relaxed', className)}
      {...props}
    />
  )
}
