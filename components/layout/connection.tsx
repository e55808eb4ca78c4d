'use client'

import { WifiOff } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { whenIdle } from '@/lib/client/when-idle'

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/**
 * Says when the browser is offline and the page may be out of date. It also registers the service worker, which serves
 * a page when nothing can be loaded (public/sw.js).
 */
export function Connection() {
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  )
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    whenIdle(() => void navigator.serviceWorker.register('/sw.js').catch(() => undefined))
  }, [])
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 top-0 z-40 grid justify-items-center">
      {isOnline ? null : (
        // While this bar is shown, toasts are shown below it (components/ui/toaster.tsx).
        <p
          data-offline
          className="mt-[max(0.5rem,env(safe-area-inset-top))] flex items-center gap-2 rounded-full bg-ink px-4 py-2 text-sm font-medium text-paper shadow-card"
        >
          <WifiOff aria-hidden className="size-4" />
          You&apos;re offline. This page may be out of date.
        </p>
      )}
    </div>
  )
}
