'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SellerDropView } from '@/lib/drops/view'
import { SECOND_MS } from '@/lib/kernel/time'
import { sellerDropsKey } from './seller-drops-key'

/** Browsers open at most six connections to a site over HTTP/1.1, and pages and calls need some of them. */
const MAX_STREAMS = 3

/**
 * Fetches the seller's drops again as soon as the server announces that one of three active drops has changed (ADR
 * 0021). The server pushes only the public view, so the seller's own figures are fetched by the private call.
 * There is no stream while the tab is hidden.
 */
export function useDropPushes(drops: SellerDropView[]): void {
  const queryClient = useQueryClient()
  // Live drops come first, because the others cannot sell a unit now.
  const names = drops
    .filter((drop) => drop.state !== 'ended')
    .sort((a, b) => Number(b.state === 'live') - Number(a.state === 'live'))
    .slice(0, MAX_STREAMS)
    .map((drop) => drop.identifier)
    .join(' ')
  useEffect(() => {
    if (names === '' || typeof EventSource === 'undefined') return
    let streams: EventSource[] = []
    let pause: ReturnType<typeof setTimeout> | null = null
    let hasMissed = false
    // The first change is fetched right away. During a rush of sales, the drops are fetched at most once a second.
    const refresh = () => {
      if (pause) {
        hasMissed = true
        return
      }
      void queryClient.invalidateQueries({ queryKey: sellerDropsKey })
      pause = setTimeout(() => {
        pause = null
        if (hasMissed) refresh()
        hasMissed = false
      }, SECOND_MS)
    }
    const follow = () => {
      for (const stream of streams) stream.close()
      streams = []
      if (document.visibilityState !== 'visible') return
      streams = names.split(' ').map((name) => new EventSource(`/api/drop/${encodeURIComponent(name)}/events`))
      for (const stream of streams) stream.addEventListener('drop', refresh)
    }
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      for (const stream of streams) stream.close()
      if (pause) clearTimeout(pause)
    }
  }, [names, queryClient])
}
