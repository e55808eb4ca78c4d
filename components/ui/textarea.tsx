'use client'

import { type ComponentProps, useImperativeHandle, useRef } from 'react'
import { useUnhydratedInput } from '@/lib/client/use-unhydrated-input'
import { cn } from './class-names'
import { controlClasses } from './control-classes'

export function Textarea({ className, ref, ...props }: ComponentProps<'textarea'>) {
  const element = useRef<HTMLTextAreaElement>(null)
  // useUnhydratedInput() needs a ref of its own, so the caller's ref is set to the same element.
  useImperativeHandle(ref, () => element.current!, [])
  useUnhydratedInput(element, props.value)
  return (
    <textarea
      ref={element}
      data-slot="textarea"
      className={cn(controlClasses, 'min-h-28 py-3 text-base leading-relaxed', className)}
      {...props}
    />
  )
}
