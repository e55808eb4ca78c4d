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
/**
 * How often the drop is polled after its start time, until the response no longer says that it is scheduled. This helps
 * on networks that block the stream.
 */
const START_POLL_MS = 700

/** The key under which the browser keeps a drop. */
const dropKey = (identifier: string) => ['api', 'drop', identifier]

async function fetchDrop(identifier: string): Promise<DropView> {
  const askedAt = performance.now()
  // Browsers also apply stale-while-revalidate to their own cache, which would show old stock and an old time. This
  // setting sends every request to the server. A browser that has an earlier response sends its ETag, and gets no body
  // if the drop is unchanged.
  const response = await fetch(`/api/drop/${encodeURIComponent(identifier)}`, { cache: 'no-cache' })
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, text, response.statusText)
  const serverTime = response.headers.get('x-server-time')
  if (serverTime) learnServerTime(serverTime, performance.now() - askedAt)
  return JSON.parse(text) as DropView
}

/**
 * Returns the current drop, and a function that fetches it again. The server pushes changes. The drop is also polled
 * every 10 s, because some networks block the stream and some changes are not pushed (ADR 0021). Polling stops when the
 * drop has ended and while the tab is hidden. When the tab is shown again, or the browser is online again while the tab
 * is shown, the drop is fetched right away. When the drop's end has passed by the server's clock, the drop counts as
 * ended without a push or a poll. When the start has passed, the drop is polled faster until the server no longer says
 * that it is scheduled.
 */
export function useLiveDrop(initial: DropView): { drop: DropView; refresh: () => void } {
  const queryClient = useQueryClient()
  const { data: drop } = useQuery({
    queryKey: dropKey(initial.identifier),
    queryFn: () => fetchDrop(initial.identifier),
    initialData: initial,
    refetchInterval: (query) => (query.state.data?.state === 'ended' ? false : POLL_MS),
  })
  const refresh = () => void queryClient.invalidateQueries({ queryKey: dropKey(initial.identifier) })

  useEffect(() => {
    const resync = () => {
      if (document.visibilityState === 'visible') {
        void queryClient.invalidateQueries({ queryKey: dropKey(initial.identifier) })
      }
    }
    // This fetches the drop once the page is idle, because the phone's clock may be wrong and the page may come from a
    // cache.
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
    (second) => drop.state === 'upcoming' && Date.parse(drop.startedAt) <= second * SECOND_MS,
  )
  useEffect(() => {
    if (!isDue) return
    const poll = () =>
      void queryClient.invalidateQueries({ queryKey: dropKey(initial.identifier) }, { cancelRefetch: false })
    const timer = setInterval(poll, START_POLL_MS)
    return () => clearInterval(timer)
  }, [isDue, queryClient, initial.identifier])

  const isOverNow = useServerClock(initial.serverTime, (second) => Date.parse(drop.endTime) <= second * SECOND_MS)
  return { drop: isOverNow && drop.state !== 'ended' ? { ...drop, state: 'ended', isActive: false } : drop, refresh }
}

/**
 * Applies the changes that the server pushes. There is no stream while the tab is hidden. A stream that the server
 * refused is opened again only after the tab was hidden and shown again.
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
          queryClient.setQueryData(dropKey(identifier), JSON.parse(data) as DropView)
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
