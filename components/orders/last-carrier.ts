import { browserStorage } from '@/lib/client/browser-storage'
import { storageKeys } from '@/lib/client/storage-keys'

/**
 * The carrier that this device remembers, because a seller sends most parcels with the same one. Empty when there is
 * none.
 */
export const lastCarrier = {
  get: () => browserStorage.get(storageKeys.lastCarrier) ?? '',
  set: (carrier: string) => browserStorage.set(storageKeys.lastCarrier, carrier),
}
