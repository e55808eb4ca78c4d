'use client'

import { useSyncExternalStore } from 'react'
import { readHint } from '@/lib/client/read-hint'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Back from the card page by the back button: the page wakes as it was left.
  window.addEventListener('pageshow', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('pageshow', listener)
  }
}

/** Whether this browser holds units of a drop in a checkout of its own, as far as it knows: the server decides. */
export function useOpenCheckout(dropId: number): boolean {
  return useSyncExternalStore(
    subscribe,
    () => readHint(CHECKOUT_HINT) === String(dropId),
    () => false,
  )
}

/** The server knows of none: it is over, or paid. */
export function forgetOpenCheckout(): void {
  document.cookie = `${CHECKOUT_HINT}=; path=/; max-age=0`
  for (const listener of listeners) listener()
}
