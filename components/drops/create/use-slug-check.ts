'use client'

import { useEffect, useState } from 'react'
import { callApi } from '@/lib/client/call-api'
import { dropTexts } from '@/lib/drops/messages'
import type { SlugCheckView } from '@/lib/drops/view'

export type SlugState =
  { kind: 'idle' } | { kind: 'checking' } | { kind: 'available' | 'unavailable' | 'unknown'; message: string }

const DEBOUNCE_MS = 400

/** Asks the server whether a custom link is free, once typing has paused. */
export function useSlugCheck(slug: string): SlugState {
  const [answer, setAnswer] = useState<{ slug: string; state: SlugState } | null>(null)

  useEffect(() => {
    if (!slug) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void fetchSlugState(slug).then((state) => {
        if (isCurrent) setAnswer({ slug, state })
      })
    }, DEBOUNCE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [slug])

  if (!slug) return { kind: 'idle' }
  return answer?.slug === slug ? answer.state : { kind: 'checking' }
}

async function fetchSlugState(slug: string): Promise<SlugState> {
  try {
    const { available, message } = await callApi<SlugCheckView>('GET', `/api/check-slug/${encodeURIComponent(slug)}`)
    return { kind: available ? 'available' : 'unavailable', message }
  } catch {
    return { kind: 'unknown', message: dropTexts.slugUnknown }
  }
}
