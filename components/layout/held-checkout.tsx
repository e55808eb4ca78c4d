'use client'

import { type ReactNode, useSyncExternalStore } from 'react'
import { readOpenClaim } from '@/components/drop-page/use-open-claim'
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
 * Shows, on the pages for buyers, sellers and signing in, for how long this browser's units are reserved, with a link
 * back to their drop. The cookie is only a hint, and the drop's page says what is true.
 */
export function HeldCheckout({ exceptDropId, children }: HeldCheckoutProps) {
  const held = useSyncExternalStore(subscribe, read, () => '')
  const [dropId, path, left = ''] = held.split(' ')
  if (!dropId || Number(dropId) === exceptDropId) return children
  return (
    <a
      href={path}
      className="-me-2 tabular inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-sm font-semibold underline underline-offset-4 hover:bg-sunken"
    >
      {left ? `Reserved for you: ${left.replaceAll('-', ' ')} left` : 'Reserved for you'}
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

/**
 * Returns the drop's id, the page, and the time that is left, such as "12 /drop/12 up-to-8-min". The answer is empty
 * when nothing is reserved. An open checkout comes before a claim from the waitlist. A checkout may lose its units
 * before its time is over (docs/product.md#how-long-a-hold-lasts), so its time is a limit.
 */
function read(): string {
  const hint = readCheckoutHint(readHint(CHECKOUT_HINT))
  if (hint) return [hint.dropId, `/drop/${hint.dropId}`, leftUntil(hint.endsAt, 'up-to-')].join(' ')
  const claim = readOpenClaim()
  return claim ? [claim.dropId, claim.path, leftUntil(new Date(claim.expiresAt))].join(' ') : ''
}

/**
 * Returns how long the reservation lasts, without spaces. The browser removes the cookie when the time is over, so a
 * time in the past only means that the clock of this phone is wrong, and the answer is empty.
 */
function leftUntil(end: Date | null, prefix = ''): string {
  const seconds = end ? Math.ceil((end.getTime() - Date.now()) / SECOND_MS) : 0
  if (seconds <= 0) return ''
  return prefix + (seconds < 60 ? `${seconds}-sec` : `${Math.floor(seconds / 60)}-min`)
}
