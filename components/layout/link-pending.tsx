'use client'

import { useLinkStatus } from 'next/link'
import { cn } from '@/components/ui/class-names'

/** Shows, inside a link, that its page is loading. It takes the same space while hidden, so that nothing moves. */
export function LinkPending({ className }: { className?: string }) {
  const { pending } = useLinkStatus()
  return (
    <span
      aria-hidden
      className={cn('size-2 rounded-full bg-ember', pending ? 'animate-pulse' : 'invisible', className)}
    />
  )
}
