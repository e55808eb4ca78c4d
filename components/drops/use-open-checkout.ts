'use client'

import { useSyncExternalStore } from 'react'
import { ApiError } from '@/lib/client/call-api'
import { readHint } from '@/lib/client/read-hint'
import { storageKeys } from '@/lib/client/storage-keys'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Going back from the payment page restores this page as it was left, so the cookie has to be read again.
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

/** Remembers the address of the payment page that was opened for a drop, and for which value of its option. */
export function noteCheckoutAddress(dropId: number, address: string, value: string | null): void {
  try {
    sessionStorage.setItem(storageKeys.openCheckout, JSON.stringify({ dropId, address, value }))
  } catch {
    // Without it the buyer reaches the checkout by the Buy button alone.
  }
}

/** The address of the payment page that this tab opened for a drop; null when it is not known. */
export function readCheckoutAddress(dropId: number): string | null {
  const { address } = readCheckout(dropId)
  return typeof address === 'string' ? address : null
}

/** The value of the drop's option that this tab opened a payment page for; null when it is not known. */
export function readCheckoutValue(dropId: number): string | null {
  const { value } = readCheckout(dropId)
  return typeof value === 'string' ? value : null
}

function readCheckout(dropId: number): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageKeys.openCheckout) ?? 'null')
    return typeof kept === 'object' && kept !== null && 'dropId' in kept && kept.dropId === dropId ? { ...kept } : {}
  } catch {
    return {}
  }
}

/**
 * Whether a failed attempt to continue the open checkout means that there is none. A connection that fails, a limit and a
 * server that cannot answer now say nothing about it.
 */
export function isCheckoutOver(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409
}

/** Removes the hint, because the server knows no open checkout: it has ended or was paid. */
export function forgetOpenCheckout(): void {
  document.cookie = `${CHECKOUT_HINT}=; path=/; max-age=0`
  for (const listener of listeners) listener()
}
