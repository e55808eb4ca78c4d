'use client'

import { useSyncExternalStore } from 'react'
import { pageListeners } from '@/lib/client/page-listeners'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'

type UnclearPayment = { dropId: number; path: string }

// The value is read again when a buyer comes back from the success page, because that page may have shown the result.
const { subscribe, notify } = pageListeners()
/** The stored value, where the browser has no storage for this tab. */
let inMemory: string | null = null

/**
 * Returns the path of the page that shows the result of this tab's payment for a drop if Stripe's response was lost,
 * and null otherwise. Until the buyer has seen that page, nothing else may be paid for the drop.
 */
export function useUnclearPayment(dropId: number): string | null {
  return useSyncExternalStore(
    subscribe,
    () => readUnclearPayment(dropId),
    () => null,
  )
}

function readUnclearPayment(dropId: number): string | null {
  const kept = read()
  return kept?.dropId === dropId ? kept.path : null
}

function read(): UnclearPayment | null {
  const text = tabStorage.get(storageKeys.unclearPayment) ?? inMemory
  // Only noteUnclearPayment() writes this string.
  return text === null ? null : (JSON.parse(text) as UnclearPayment)
}

/** Stores in this tab a payment whose response was lost. Null removes the stored payment. */
export function noteUnclearPayment(unclear: UnclearPayment | null): void {
  tabStorage.remove(storageKeys.unclearPayment)
  const text = unclear && JSON.stringify(unclear)
  if (text) tabStorage.set(storageKeys.unclearPayment, text)
  inMemory = tabStorage.get(storageKeys.unclearPayment) === text ? null : text
  notify()
}
