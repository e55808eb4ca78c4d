'use client'

import { useEffect } from 'react'
import { useDebounced } from '@/lib/client/use-debounced'

/** Safari allows at most 100 changes of the URL in 30 seconds, so changes are debounced. */
const SETTLE_MS = 400

/** The search and the filters that the URL of a tab contains. */
export type TabFilters = { q?: string; show?: string; type?: string }

/** Keeps the search and the filters of a tab in the URL, so that it can be bookmarked, saved and reloaded. */
export function useAddressFilters(tab: string, filters: Record<string, string>): void {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '' && value !== 'all')
  const url = useDebounced(`/admin?${new URLSearchParams([['tab', tab], ...chosen])}`, SETTLE_MS)
  useEffect(() => window.history.replaceState(null, '', url), [url])
}

/** Returns the value if it is one of the choices, and otherwise the first choice. */
export function knownChoice(value: string | undefined, choices: readonly (readonly [string, string])[]): string {
  return choices.find(([choice]) => choice === value)?.[0] ?? choices[0]![0]
}
