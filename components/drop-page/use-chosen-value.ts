'use client'

import { useState } from 'react'
import { ofValue } from '@/lib/drops/options/option-view'
import type { DropView } from '@/lib/drops/view'

/**
 * Returns the value of the drop's option that the buyer chose, or null, and functions that change it. `offer` is the
 * drop with the stock and the state of this value, or the drop itself when no value is chosen.
 */
export function useChosenValue(drop: DropView) {
  const [picked, setPicked] = useState<string | null>(null)
  // The seller may have removed or renamed the value since it was chosen.
  const value = drop.option?.values.some((one) => one.value === picked) ? picked : null
  const [isMissing, setIsMissing] = useState(false)
  const choose = (chosen: string) => {
    setPicked(chosen)
    setIsMissing(false)
  }
  /** Shows at the chips that a value has to be chosen first. */
  const askForChoice = () => {
    setIsMissing(true)
    document.querySelector<HTMLInputElement>('#options input')?.focus()
  }
  return { value, isMissing, choose, askForChoice, offer: ofValue(drop, value) }
}
