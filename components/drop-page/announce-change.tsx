'use client'

import { useState } from 'react'

/**
 * Has a screen reader announce a text when it changes, but not when the page is opened. The element stays in the page,
 * because most screen readers ignore a status that appears together with its text.
 */
export function AnnounceChange({ text }: { text: string }) {
  const [first] = useState(text)
  const [hasChanged, setHasChanged] = useState(false)
  if (text !== first && !hasChanged) setHasChanged(true)
  return (
    <p role="status" className="sr-only">
      {hasChanged ? text : ''}
    </p>
  )
}
