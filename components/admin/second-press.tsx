'use client'

import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'

type SecondPressProps = {
  label: string
  /** Says what will happen. It is shown between the first press and the second. */
  question: string
  /** Further facts that are shown with the question. */
  children?: ReactNode
  confirmLabel: string
  isBusy: boolean
  onConfirm: () => void
}

/** Asks for a second press, so that an accidental press deletes nothing (docs/product.md#admin-panel). */
export function SecondPress({ label, question, children, confirmLabel, isBusy, onConfirm }: SecondPressProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button variant="outlineDestructive" onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        {label}
      </Button>
    )
  }
  return (
    <div role="group" aria-label={label} className="grid gap-3 rounded-control border border-bad/50 p-4">
      <p className="text-sm">{question}</p>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button variant="outlineDestructive" disabled={isBusy} autoFocus onClick={onConfirm}>
          {confirmLabel}
        </Button>
        <Button variant="ghost" onClick={() => setIsAsking(false)}>
          Keep it
        </Button>
      </div>
    </div>
  )
}
