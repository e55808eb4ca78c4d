'use client'

import { useEffect } from 'react'

/** Reports one view after hydration. The server decides which views count (docs/product.md#views). */
export function useViewBeacon(identifier: string): void {
  useEffect(() => {
    const tag = new URLSearchParams(window.location.search).get('utm_source') ?? ''
    const from = URL.canParse(document.referrer) ? new URL(document.referrer).hostname : ''
    navigator.sendBeacon(`/api/drop/${encodeURIComponent(identifier)}/view?${new URLSearchParams({ from, tag })}`)
  }, [identifier])
}
