'use client'

import { useEffect, useState } from 'react'

/** The value as it was when it last stayed unchanged for `delayMs`. */
export function useDebounced(value: string, delayMs: number): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}
