'use client'

import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './class-names'

/** The touch target is larger than the visible track. */
export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="switch"
      className={cn(
        'group grid h-11 w-14 shrink-0 place-items-center rounded-control disabled:cursor-not-allowed disabled:opacity-60',
        className,
      )}
      {...props}
    >
      <span className="relative h-7 w-12 rounded-full border border-transparent bg-control transition-colors duration-150 group-data-[state=checked]:bg-good forced-colors:group-data-[state=checked]:bg-[Highlight]">
        <Radix.Thumb className="absolute top-px start-px size-6 rounded-full bg-white shadow transition-transform duration-150 data-[state=checked]:translate-x-5 rtl:data-[state=checked]:-translate-x-5 forced-colors:bg-[CanvasText]" />
      </span>
    </Radix.Root>
  )
}
