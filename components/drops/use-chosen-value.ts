'use client'

import { useState } from 'react'
import { ofValue } from '@/lib/drops/option-view'
import type { DropView } from '@/lib/drops/view'

/**
 * The value of the drop's option that the buyer chose, and the drop with the stock and the state of this value. For
 * a drop without options that is the drop itself.
 */
export function useChosenValue(drop: DropView) {
  const [picked, setPicked] = useState<string | null>(null)
  // The seller may have removed or renamed the value since.
  const value = drop.option?.values.some((one) => one.value === picked) ? picked : null
  const [isMissing, setIsMissing] = useState(false)
  const choose = (chosen: string) => {
    setPicked(chosen)
    setIsMissing(false)
  }
  /** Says at the chips that one has to be chosen first. */
  const askForChoice = () => {
    setIsMissing(true)
    document.querySelector<HTMLInputElement>('#options input')?.focus()
  }
  return { value, isMissing, choose, askForChoice, offer: ofValue(drop, value) }
}
