'use client'

import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react'
import { dismissToast, readToast, subscribeToToast } from '@/lib/client/toast-store'

/**
 * Shows toasts. Their script is loaded at the first touch or key press, so that it does not slow down the page. A toast
 * that comes earlier also loads the script.
 */
export function Toasts() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType } | null>(null)
  const [isOutOfReach, setIsOutOfReach] = useState(false)
  useEffect(() => {
    if (loaded) return
    const load = () => {
      // When there is no connection, the next touch tries again.
      import('@/components/ui/toaster').then(
        ({ Toaster }) => setLoaded({ Toaster }),
        () => setIsOutOfReach(true),
      )
    }
    const listening = new AbortController()
    for (const sign of ['pointerdown', 'keydown']) window.addEventListener(sign, load, { signal: listening.signal })
    const unsubscribe = subscribeToToast(load)
    // A toast may have been requested before hydration.
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

/**
 * A toast without its own duration stays a little longer than the real one, because it does not wait for the pointer.
 */
const PLAIN_TOAST_MS = 5_000

/**
 * Shows a toast as plain text while its script cannot be loaded, because the message about a missing connection must
 * appear without a connection. A later touch can load the real toast.
 */
function PlainToast() {
  const current = useSyncExternalStore(subscribeToToast, readToast, nothing)
  const { id, durationMs = PLAIN_TOAST_MS } = current ?? {}
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => dismissToast(id), durationMs)
    return () => clearTimeout(timer)
  }, [id, durationMs])
  const edge = current?.tone === 'bad' ? 'border-bad' : ''
  return (
    <div
      role="alert"
      className="fixed inset-x-4 top-[max(1rem,env(safe-area-inset-top))] z-50 mx-auto max-w-md in-[body:has([data-offline])]:mt-16"
    >
      {current?.isOpen ? (
        <div className={`flex items-start gap-3 rounded-card border bg-surface p-4 shadow-card ${edge}`}>
          <div className="grid flex-1 gap-0.5">
            <p className={current.tone === 'bad' ? 'font-semibold text-bad' : 'font-semibold'}>{current.title}</p>
            {current.description ? <p className="text-sm text-muted">{current.description}</p> : null}
          </div>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => dismissToast(current.id)}
            className="-m-2 grid size-11 place-items-center rounded-control text-muted hover:text-ink"
          >
            <span aria-hidden className="text-2xl leading-none">
              ×
            </span>
          </button>
        </div>
      ) : null}
    </div>
  )
}
