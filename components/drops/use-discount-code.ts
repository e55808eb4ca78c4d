'use client'

import { useCallback, useState, useSyncExternalStore } from 'react'
import { codeInQuery } from '@/lib/drops/code-rules'

const neverChanges = () => () => undefined

/**
 * The discount code of this visit: the one in the link until the buyer types another. The page is the same for everybody, so the
 * link is read in the browser (docs/product.md#discount-codes).
 */
export function useDiscountCode() {
  const inLink = useSyncExternalStore(
    neverChanges,
    () => codeInQuery(window.location.search),
    () => '',
  )
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const type = useCallback((code: string) => {
    setTyped(code)
    setProblem(null)
  }, [])
  return {
    code: typed ?? inLink,
    /** What is sent: nothing where the buyer had nothing to do with codes, so that an open checkout keeps its own. */
    sent: typed ?? (inLink || undefined),
    problem,
    type,
    refuse: setProblem,
  }
}
