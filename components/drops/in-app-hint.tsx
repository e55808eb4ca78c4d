'use client'

import { X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { inAppBrowser } from '@/lib/client/in-app-browser'
import { storageKeys } from '@/lib/client/storage-keys'
import { copyLink } from './share-link'

const never = () => () => undefined

function isDismissed(): boolean {
  try {
    return sessionStorage.getItem(storageKeys.inAppHint) !== null
  } catch {
    return false
  }
}

/**
 * Tells people that wallets and saved cards do not work in another app's built-in browser. The hint lies over the
 * picture, so that nothing moves and price, time and stock stay in view.
 */
export function InAppHint({ path }: { path: string }) {
  const [isClosed, setIsClosed] = useState(false)
  const app = useSyncExternalStore(
    never,
    () => {
      const name = inAppBrowser(navigator.userAgent)
      return name && !isDismissed() ? name : null
    },
    () => null,
  )
  if (!app || isClosed) return null

  function dismiss() {
    setIsClosed(true)
    try {
      sessionStorage.setItem(storageKeys.inAppHint, '1')
    } catch {
      // The browser stores nothing, so the hint appears again on the next page.
    }
  }

  return (
    <aside
      aria-label="Open in your browser"
      className="absolute inset-x-3 top-3 z-10 flex items-center gap-2 rounded-card border bg-surface py-2 pe-1 ps-4 shadow-card md:hidden"
    >
      <p className="flex-1 text-sm">
        <span className="font-semibold">You&apos;re in {app}.</span> For Apple Pay and saved cards, open this page in
        your browser.
      </p>
      <Button variant="outline" size="sm" onClick={() => void copyLink(path)}>
        Copy link
      </Button>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={dismiss}
        className="grid size-11 shrink-0 place-items-center rounded-control text-muted hover:text-ink"
      >
        <X aria-hidden className="size-5" />
      </button>
    </aside>
  )
}
