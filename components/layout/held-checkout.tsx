'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { readHint } from '@/lib/client/read-hint'
import { readCheckoutHint } from '@/lib/kernel/checkout-hint'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'
import { SECOND_MS } from '@/lib/kernel/time'

type HeldCheckoutProps = {
  /** The drop whose page this is. It shows its own reservation. */
  exceptDropId?: number | undefined
  /** What the header shows while nothing is reserved. */
  children: ReactNode
}

/**
 * Shows, on every page for buyers, for how long this browser's units are reserved, with a link back to their drop. The
 * cookie is only a hint, and the drop's page says what is true.
 */
export function HeldCheckout({ exceptDropId, children }: HeldCheckoutProps) {
  const held = useSyncExternalStore(subscribe, read, () => '')
  const [dropId, left = ''] = held.split(' ')
  if (!dropId || Number(dropId) === exceptDropId) return children
  return (
    <a
      href={`/drop/${dropId}`}
      className="-me-2 tabular inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-sm font-semibold underline underline-offset-4 hover:bg-sunken"
    >
      {left ? `Reserved for you: ${left.replace('-', ' ')} left` : 'Reserved for you'}
    </a>
  )
}

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, SECOND_MS)
  window.addEventListener('pageshow', listener)
  return () => {
    clearInterval(timer)
    window.removeEventListener('pageshow', listener)
  }
}

/** Returns the drop's id and the time that is left, such as "12 8-min", or an empty string when nothing is reserved. */
function read(): string {
  const hint = readCheckoutHint(readHint(CHECKOUT_HINT))
  if (!hint) return ''
  if (!hint.endsAt) return String(hint.dropId)
  const seconds = Math.ceil((hint.endsAt.getTime() - Date.now()) / SECOND_MS)
  // The browser removes the cookie when the time is over, so a time in the past only means that this phone's clock is wrong.
  if (seconds <= 0) return String(hint.dropId)
  return `${hint.dropId} ${seconds < 60 ? `${seconds}-sec` : `${Math.floor(seconds / 60)}-min`}`
}
