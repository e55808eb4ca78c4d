'use client'

import { useEffect, useState } from 'react'

/**
 * Why a form was refused. Each refusal, the same one again as well, moves the focus to its field or message; null takes
 * it back.
 */
export function useRefusal(targetId: string) {
  const [refusal, setRefusal] = useState<{ text: string } | null>(null)
  useEffect(() => {
    if (refusal) document.getElementById(targetId)?.focus()
  }, [refusal, targetId])
  const refuse = (text: string | null) => setRefusal(text === null ? null : { text })
  return [refusal?.text, refuse] as const
}
