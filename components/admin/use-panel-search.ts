'use client'

import { useEffect, useState } from 'react'
import type { SearchView } from '@/lib/admin/view'
import { callApi, failureText } from '@/lib/client/call-api'
import { useDebounced } from '@/lib/client/use-debounced'

const TYPING_MS = 200

type Found = { q: string; view: SearchView | null; problem: string | null }

/** Searches once typing has paused. A response to an earlier search is ignored. */
export function usePanelSearch(typed: string) {
  const q = useDebounced(typed.trim(), TYPING_MS)
  const [found, setFound] = useState<Found>({ q: '', view: null, problem: null })
  useEffect(() => {
    if (q === '') return
    const call = new AbortController()
    callApi<SearchView>('GET', `/api/admin/search?${new URLSearchParams({ q })}`, undefined, {
      signal: call.signal,
    }).then(
      (view) => setFound({ q, view, problem: null }),
      (error: unknown) => {
        if (!call.signal.aborted) setFound({ q, view: null, problem: failureText(error) })
      },
    )
    return () => call.abort()
  }, [q])
  const isCurrent = found.q === typed.trim()
  return {
    view: isCurrent ? found.view : null,
    problem: isCurrent ? found.problem : null,
    isSearching: typed.trim() !== '' && !isCurrent,
  }
}
