'use client'

import { X } from 'lucide-react'
import { useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { type InAppBrowser, inAppBrowser, withSource } from '@/lib/client/in-app-browser'
import { leaveApp } from '@/lib/client/leave-app'
import { storageKeys } from '@/lib/client/storage-keys'
import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'
import { copyAddress } from './share-link'
import { readCheckoutAddress } from './use-open-checkout'

const never = () => () => undefined

function isDismissed(): boolean {
  try {
    return sessionStorage.getItem(storageKeys.inAppHint) !== null
  } catch {
    return false
  }
}

type InAppHintProps = {
  identifier: string
  dropId: number
  /** True when this browser holds units of the drop in an open checkout. */
  hasOpenCheckout: boolean
}

/**
 * The way from another app's built-in browser, where wallets and saved cards do not work, to the phone's own. The hint
 * lies over the picture, so that nothing moves and price, time and stock stay in view. Nothing happens without a tap.
 */
export function InAppHint({ identifier, dropId, hasOpenCheckout }: InAppHintProps) {
  const [isClosed, setIsClosed] = useState(false)
  const agent = useSyncExternalStore(
    never,
    () => (isDismissed() ? '' : navigator.userAgent),
    () => '',
  )
  const app = useMemo(() => inAppBrowser(agent), [agent])
  if (!app || isClosed) return null

  function dismiss() {
    setIsClosed(true)
    try {
      sessionStorage.setItem(storageKeys.inAppHint, '1')
    } catch {
      // The browser stores nothing, so the hint appears again on the next page.
    }
  }

  // Units are held for this browser only, but their payment page works in any. Opening it there keeps the hold.
  const address = () =>
    (hasOpenCheckout ? readCheckoutAddress(dropId) : null) ?? withSource(window.location.href, app.id)

  return (
    <aside
      aria-label="Open in your browser"
      className="absolute inset-x-3 top-3 z-10 grid gap-1 rounded-card border bg-surface p-1 ps-4 shadow-card md:hidden"
    >
      <div className="flex items-center gap-2">
        <p className="flex-1 py-1 text-sm">
          <span className="font-semibold">You&apos;re in {app.name}.</span> For{' '}
          {app.platform === 'ios' ? 'Apple Pay' : 'Google Pay'} and saved cards, open this page in your browser.
        </p>
        <button
          type="button"
          aria-label="Dismiss"
          onClick={dismiss}
          className="grid size-11 shrink-0 place-items-center self-start rounded-control text-muted hover:text-ink"
        >
          <X aria-hidden className="size-5" />
        </button>
      </div>
      <Button
        variant="outline"
        size="sm"
        className="mb-2 justify-self-start"
        onClick={() => void goOutside(app, identifier, address())}
      >
        {app.wayOut ? 'Open in your browser' : 'Copy link'}
      </Button>
    </aside>
  )
}

/** Opens the address outside the app, copies it if that does not work, and reports the outcome for the figures. */
async function goOutside(app: InAppBrowser, identifier: string, address: string): Promise<void> {
  let outcome: 'opened' | 'copied' | 'failed' = 'opened'
  if (!app.wayOut || (await leaveApp(app.wayOut, address)) === 'stayed') {
    outcome = (await copyAddress(address)) ? 'copied' : 'failed'
    toast(outcome === 'copied' ? dropToasts.copiedForBrowser : { ...dropToasts.copyFailed, tone: 'bad' })
  }
  const told = new URLSearchParams({ app: app.id, outcome })
  navigator.sendBeacon(`/api/drop/${encodeURIComponent(identifier)}/leave?${told}`)
}
