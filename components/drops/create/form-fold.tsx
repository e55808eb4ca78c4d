'use client'

import { type ReactNode, useState } from 'react'
import { Fold } from '@/components/ui/fold'

type FormFoldProps = {
  /** What is set now, in a few words. */
  line: string
  /** Whether a field inside has an error. The fields are then shown. */
  hasProblem: boolean
  children: ReactNode
}

/**
 * Shows in one line what is set, and opens the fields behind it. It is for fields that a plain drop does not need, so
 * that the form stays short.
 */
export function FormFold({ line, hasProblem, children }: FormFoldProps) {
  const [isWanted, setIsWanted] = useState(false)
  return (
    <Fold line={line} isOpen={isWanted || hasProblem} onToggle={setIsWanted}>
      {children}
    </Fold>
  )
}
