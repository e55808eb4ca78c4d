'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'

/** The page /payment-success-breakdown opens the home page after this time (docs/product.md#after-paying). */
const REDIRECT_SECONDS = 10

export function StayOrGo() {
  const router = useRouter()
  const [left, setLeft] = useState<number | null>(REDIRECT_SECONDS)
  useEffect(() => {
    if (left === null) return
    if (left === 0) {
      router.push('/')
      return
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left, router])
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <p className="tabular text-muted" role={left === null ? 'status' : 'timer'}>
        {left === null
          ? "You'll stay on this page."
          : `Taking you to the home page in ${left} ${left === 1 ? 'second' : 'seconds'}`}
      </p>
      <Button variant="outline" size="sm" aria-disabled={left === null} onClick={() => setLeft(null)}>
        Stay here
      </Button>
    </div>
  )
}
