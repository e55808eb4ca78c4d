'use client'

import { X } from 'lucide-react'
import { type MouseEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { type InAppBrowser, inAppBrowser, withSource } from '@/lib/client/in-app-browser'
import { leaveApp } from '@/lib/client/leave-app'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import { toast } from '@/lib/client/toast-store'
import { dropToasts } from '@/lib/drops/messages'
import { copyText } from '@/components/drops/share-link'
import { readCheckoutAddress } from './use-open-checkout'

const never = () => () => undefined

const isDismissed = () => tabStorage.get(storageKeys.inAppHint) !== null

type InAppHintProps = {
  identifier: string
  dropId: number
  /** True when this browser seems to hold units of the drop in an open checkout. */
  hasOpenCheckout: boolean
}

/**
 * Offers to leave another app's built-in browser, where wallets and saved cards do not work, for the phone's own
 * browser. The hint covers a part of the picture, so that nothing moves and price, time and stock stay in view. Nothing
 * opens without a tap.
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

  function dismiss({ currentTarget }: MouseEvent<HTMLElement>) {
    // The button disappears, so the focus goes to the photo behind the hint.
    currentTarget.closest('aside')?.nextElementSibling?.querySelector<HTMLElement>('a, button')?.focus()
    setIsClosed(true)
    tabStorage.set(storageKeys.inAppHint, '1')
  }

  // Units are held for this browser only, but their payment page works in any browser. Opening that page in the other
  // browser keeps the hold.
  const url = () => (hasOpenCheckout ? readCheckoutAddress(dropId) : null) ?? withSource(window.location.href, app.id)

  return (
    <aside
      aria-label="Open in your browser"
      className="absolute inset-x-3 top-3 z-10 grid gap-1 rounded-card border bg-surface p-1 ps-4 shadow-card md:max-w-sm"
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
        onClick={() => void goOutside(app, identifier, url())}
      >
        {app.wayOut ? 'Open in your browser' : 'Copy link'}
      </Button>
    </aside>
  )
}

/** Opens the URL outside the app, or copies it if that does not work, and reports the outcome for the statistics. */
async function goOutside(app: InAppBrowser, identifier: string, url: string): Promise<void> {
  let outcome: 'opened' | 'copied' | 'failed' = 'opened'
  if (!app.wayOut || (await leaveApp(app.wayOut, url)) === 'stayed') {
    outcome = (await copyText(url)) ? 'copied' : 'failed'
    toast(outcome === 'copied' ? dropToasts.copiedForBrowser : { ...dropToasts.copyFailed, tone: 'bad' })
  }
  const report = new URLSearchParams({ app: app.id, outcome })
  navigator.sendBeacon(`/api/drop/${encodeURIComponent(identifier)}/leave?${report}`)
}
