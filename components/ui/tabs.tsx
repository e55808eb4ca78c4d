'use client'

import { Tabs as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from './class-names'

export const Tabs = Radix.Root
export const TabsContent = Radix.Content

export function TabsList({ className, ...props }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn('flex flex-wrap gap-1 rounded-control bg-sunken p-1', className)} {...props} />
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        'min-h-11 flex-1 rounded-[8px] px-3 text-sm font-semibold whitespace-nowrap text-muted transition-colors duration-150 data-[state=active]:bg-surface data-[state=active]:text-ink data-[state=active]:shadow-card forced-colors:data-[state=active]:outline-2',
        className,
      )}
      {...props}
    />
  )
}
