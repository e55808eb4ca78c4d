'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '@/lib/client/call-api'
import { learnServerTime, useServerClock } from '@/lib/client/use-server-clock'
import { whenIdle } from '@/lib/client/when-idle'
import type { DropView } from '@/lib/drops/view'
import { SECOND_MS } from '@/lib/kernel/time'

/** How often the drop is polled (docs/product.md#drop-page). */
const POLL_MS = 10 * SECOND_MS
/** How often it is polled from its start on, until the answer says that it is live: for networks that block the stream. */
const START_POLL_MS = 700

async function fetchDrop(identifier: string): Promise<DropView> {
  const askedAt = performance.now()
  // Browsers apply stale-while-revalidate to their own cache too, which would show old stock and an old time. So the
  // server is always asked, with the ETag: an unchanged drop is answered without a body.
  const response = await fetch(`/api/drop/${encodeURIComponent(identifier)}`, { cache: 'no-cache' })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, text, response.statusText)
  const serverTime = response.headers.get('x-server-time')
  if (serverTime) learnServerTime(serverTime, performance.now() - askedAt)
  return JSON.parse(text) as DropView
}

/**
 * Returns the drop as it is now. The server pushes every change, and a poll every 10 s remains for networks that block
 * the stream. Polling stops when the drop is over and while the tab is hidden, and runs at once when the tab is shown
 * again. A drop whose end has passed by the server's clock counts as over without waiting for either. One whose start has
 * passed is asked for until the server says that it can be bought.
 */
export function useLiveDrop(initial: DropView): { drop: DropView; refresh: () => void } {
  const queryKey = ['api', 'drop', initial.identifier]
  const queryClient = useQueryClient()
  const { data: drop } = useQuery({
    queryKey,
    queryFn: () => fetchDrop(initial.identifier),
    initialData: initial,
    refetchInterval: (query) => (query.state.data?.state === 'ended' ? false : POLL_MS),
  })
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['api', 'drop', initial.identifier] })

  useEffect(() => {
    const resync = () => {
      if (document.visibilityState === 'visible') {
        void queryClient.invalidateQueries({ queryKey: ['api', 'drop', initial.identifier] })
      }
    }
    // Asks once after the page has settled, because the phone's clock may be wrong and the page may come from a cache.
    whenIdle(resync)
    document.addEventListener('visibilitychange', resync)
    window.addEventListener('online', resync)
    return () => {
      document.removeEventListener('visibilitychange', resync)
      window.removeEventListener('online', resync)
    }
  }, [queryClient, initial.identifier])

  useDropEvents(initial.identifier, drop.state === 'ended')

  const isDue = useServerClock(
    initial.serverTime,
    (second) => drop.state === 'scheduled' && Date.parse(drop.startedAt) <= second * SECOND_MS,
  )
  useEffect(() => {
    if (!isDue) return
    const ask = () =>
      void queryClient.invalidateQueries({ queryKey: ['api', 'drop', initial.identifier] }, { cancelRefetch: false })
    const timer = setInterval(ask, START_POLL_MS)
    return () => clearInterval(timer)
  }, [isDue, queryClient, initial.identifier])

  const isOverNow = useServerClock(initial.serverTime, (second) => Date.parse(drop.endTime) <= second * SECOND_MS)
  return { drop: isOverNow && drop.state !== 'ended' ? { ...drop, state: 'ended', isActive: false } : drop, refresh }
}

/**
 * Applies the changes that the server pushes. There is no stream while the tab is hidden, and a refused stream is not
 * opened again.
 */
function useDropEvents(identifier: string, isOver: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (isOver || typeof EventSource === 'undefined') return
    let stream: EventSource | null = null
    let isGone = false
    const follow = () => {
      if (isGone) return
      const isVisible = document.visibilityState === 'visible'
      if (!isVisible) {
        stream?.close()
        stream = null
      } else if (!stream) {
        stream = new EventSource(`/api/drop/${encodeURIComponent(identifier)}/events`)
        stream.addEventListener('drop', ({ data }: MessageEvent<string>) => {
          queryClient.setQueryData(['api', 'drop', identifier], JSON.parse(data) as DropView)
        })
      }
    }
    whenIdle(follow)
    document.addEventListener('visibilitychange', follow)
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', follow)
      stream?.close()
    }
  }, [queryClient, identifier, isOver])
}
