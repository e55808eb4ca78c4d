'use client'

import { useEffect, useState } from 'react'

/** Returns the value with a delay: a change counts only after the value has stayed the same for `delayMs`. */
export function useDebounced(value: string, delayMs: number): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}
