'use client'

import { useSyncExternalStore } from 'react'
import { ApiError } from '@/lib/client/call-api'
import { pageListeners } from '@/lib/client/page-listeners'
import { readHint } from '@/lib/client/read-hint'
import { storageKeys } from '@/lib/client/storage-keys'
import { browserStorage } from '@/lib/client/browser-storage'
import { readCheckoutHint } from '@/lib/kernel/checkout-hint'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'

// The cookie is read again when a buyer comes back from the payment page, because it may have changed in the meantime.
const { subscribe, notify } = pageListeners()

/**
 * Returns true when this browser seems to hold units of the drop in an open checkout. It is only a hint, because the
 * server decides.
 */
export function useOpenCheckout(dropId: number): boolean {
  return useSyncExternalStore(
    subscribe,
    () => hintFor(dropId) !== null,
    () => false,
  )
}

const hintFor = (dropId: number) => {
  const hint = readCheckoutHint(readHint(CHECKOUT_HINT))
  return hint?.dropId === dropId ? hint : null
}

/** Returns when the units of this browser's open checkout are released; null when it is not known. */
export function readCheckoutEnd(dropId: number): Date | null {
  return hintFor(dropId)?.endsAt ?? null
}

type Checkout = { value: string | null; quantity: number; address?: string }

/**
 * Stores in this browser the checkout that was opened for a drop: the value of the drop's option, how many units are
 * held, and the URL of the payment page, which a payment by wallet does not have.
 */
export function noteOpenCheckout(dropId: number, checkout: Checkout): void {
  // If this browser stores nothing, the buyer can still return to the checkout by the Buy button.
  browserStorage.set(storageKeys.openCheckout, JSON.stringify({ dropId, ...checkout }))
  notify()
}

/** Returns the URL of the payment page that this browser opened for a drop, or null when it is not known. */
export function readCheckoutAddress(dropId: number): string | null {
  const { address } = readCheckout(dropId)
  return typeof address === 'string' ? address : null
}

/** Returns how many units of a value this browser's open checkout holds; 0 when it is not known. */
export function readCheckoutQuantity(dropId: number, value: string | null): number {
  const checkout = readCheckout(dropId)
  return checkout.value === value && typeof checkout.quantity === 'number' ? checkout.quantity : 0
}

function readCheckout(dropId: number): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(browserStorage.get(storageKeys.openCheckout) ?? 'null')
    return typeof kept === 'object' && kept !== null && 'dropId' in kept && kept.dropId === dropId ? { ...kept } : {}
  } catch {
    return {}
  }
}

/**
 * Returns true when a failed attempt to continue the open checkout means that this checkout has ended. A failed
 * connection, a rate limit or an error of the server does not mean that.
 */
export function isCheckoutOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

/** Removes the hint of an open checkout for this drop. It is called when that checkout has ended. */
export function forgetOpenCheckout(dropId: number): void {
  if (hintFor(dropId)) document.cookie = `${CHECKOUT_HINT}=; path=/; max-age=0`
  notify()
}
