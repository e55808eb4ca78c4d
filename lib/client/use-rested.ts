'use client'

import { useEffect, useState } from 'react'

/** A value that has rested for a moment. */
export function useRested(value: string, restMs: number): string {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs)
    return () => clearTimeout(timer)
  }, [value, restMs])
  return rested
}
