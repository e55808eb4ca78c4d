'use client'

import { useCallback, useState, useSyncExternalStore } from 'react'
import { codeInQuery } from '@/lib/drops/codes/code-rules'

const neverChanges = () => () => undefined

/**
 * Returns the discount code of this visit, which is the code in the link until the buyer types another one. The link is
 * read in the browser, because the server renders the same page for everyone (docs/product.md#discount-codes).
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
    /**
     * The code that is sent with a purchase. It is undefined when the buyer neither typed a code nor followed a link
     * with one, so that an open checkout keeps its code.
     */
    sent: typed ?? (inLink || undefined),
    problem,
    type,
    refuse: setProblem,
  }
}
