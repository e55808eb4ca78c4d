'use client'

import { Printer } from 'lucide-react'
import { Button } from '@/components/ui/button'

/** The browser's own print; without a script its menu does the same. */
export function PrintButton({ label = 'Print' }: { label?: string }) {
  return (
    <Button onClick={() => window.print()}>
      <Printer aria-hidden />
      {label}
    </Button>
  )
}
