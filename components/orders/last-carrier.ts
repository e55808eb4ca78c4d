import { storageKeys } from '@/lib/client/storage-keys'

/** Reads the carrier of the parcel that was last marked as shipped on this device; empty when there is none. */
function get(): string {
  try {
    return localStorage.getItem(storageKeys.lastCarrier) ?? ''
  } catch {
    return ''
  }
}

function set(carrier: string): void {
  try {
    localStorage.setItem(storageKeys.lastCarrier, carrier)
  } catch {
    // The browser forbids storage, so the seller types the carrier again.
  }
}

/** The carrier that this device remembers, because a seller sends most parcels with the same one. */
export const lastCarrier = { get, set }
