'use client'

import { useEffect } from 'react'
import { callAction } from '@/lib/client/call-action'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import type { NoteSlipsInput } from '@/lib/shipping/schema'

type SlipsPrintedProps = NoteSlipsInput & { action: ServerAction<NoteSlipsInput> }

/** Records which addresses were printed, so that a slip with an earlier address can be recognized as outdated. */
export function SlipsPrinted({ slips, action }: SlipsPrintedProps) {
  useEffect(() => {
    const note = () => void callAction(action, { slips })
    window.addEventListener('beforeprint', note)
    return () => window.removeEventListener('beforeprint', note)
  }, [slips, action])
  return null
}
