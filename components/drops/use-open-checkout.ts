'use client'

import { useSyncExternalStore } from 'react'
import { readHint } from '@/lib/client/read-hint'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Back from the payment page restores this page as it was left, so the cookie has to be read again.
  window.addEventListener('pageshow', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('pageshow', listener)
  }
}

/**
 * Returns true when this browser seems to hold units of the drop in an open checkout. It is only a hint; the server
 * decides.
 */
export function useOpenCheckout(dropId: number): boolean {
  return useSyncExternalStore(
    subscribe,
    () => readHint(CHECKOUT_HINT) === String(dropId),
    () => false,
  )
}

/** Removes the hint, because the server knows no open checkout: it has ended or was paid. */
export function forgetOpenCheckout(): void {
  document.cookie = `${CHECKOUT_HINT}=; path=/; max-age=0`
  for (const listener of listeners) listener()
}
