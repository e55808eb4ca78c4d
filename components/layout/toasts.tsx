'use client'

import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { readToast, subscribeToToast } from '@/lib/client/toast-store'

/** What draws toasts is fetched with the first touch or key, so that it is there for the first toast and not for the page. */
export function Toasts() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType } | null>(null)
  const [isOutOfReach, setIsOutOfReach] = useState(false)
  useEffect(() => {
    if (loaded) return
    const load = () => {
      // Without a connection the next touch tries again.
      import('@/components/ui/toaster').then(
        ({ Toaster }) => setLoaded({ Toaster }),
        () => setIsOutOfReach(true),
      )
    }
    const listening = new AbortController()
    for (const sign of ['pointerdown', 'keydown']) window.addEventListener(sign, load, { signal: listening.signal })
    const unsubscribe = subscribeToToast(load)
    // Said while the page was waking.
    if (readToast()) load()
    return () => {
      listening.abort()
      unsubscribe()
    }
  }, [loaded])
  if (loaded) return <loaded.Toaster />
  return isOutOfReach ? <PlainToast /> : null
}

const nothing = () => null

/** That there is no connection has to be said without one, too: the words alone, until a touch fetches the rest. */
function PlainToast() {
  const current = useSyncExternalStore(subscribeToToast, readToast, nothing)
  const edge = current?.tone === 'bad' ? 'border-bad' : ''
  return (
    <div role="alert" className="fixed inset-x-4 top-[max(1rem,env(safe-area-inset-top))] z-50 mx-auto max-w-md">
      {current ? (
        <div className={`grid gap-0.5 rounded-card border bg-surface p-4 shadow-card ${edge}`}>
          <p className="font-semibold">{current.title}</p>
          <p className="text-sm text-muted">{current.description}</p>
        </div>
      ) : null}
    </div>
  )
}
