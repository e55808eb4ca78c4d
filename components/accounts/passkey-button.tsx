'use client'

import { KeyRound } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { useCanUsePasskeys } from '@/lib/client/use-can-use-passkeys'

/**
 * A button that needs a browser with passkeys. The server renders it invisible, so that nothing moves when it appears.
 * Without JavaScript it stays invisible, and a browser without passkeys removes it.
 */
export function PasskeyButton({ className, children, ...props }: ComponentProps<typeof Button>) {
  const canUse = useCanUsePasskeys()
  if (canUse === false) return null
  return (
    <Button variant="outline" {...props} className={cn(canUse === null && 'invisible', className)}>
      <KeyRound aria-hidden />
      {children}
    </Button>
  )
}
