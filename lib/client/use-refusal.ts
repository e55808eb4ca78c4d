'use client'

import { useEffect, useState } from 'react'

/**
 * Keeps the reason why a form was refused. Each refusal moves the focus to its field or message, even when it is the
 * same as before; null clears it.
 */
export function useRefusal(targetId: string) {
  const [refusal, setRefusal] = useState<{ text: string } | null>(null)
  useEffect(() => {
    if (refusal) document.getElementById(targetId)?.focus()
  }, [refusal, targetId])
  const refuse = (text: string | null) => setRefusal(text === null ? null : { text })
  return [refusal?.text, refuse] as const
}
