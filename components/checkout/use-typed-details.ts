import { useState, useSyncExternalStore } from 'react'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import type { BuyerDetails } from '@/lib/orders/address-schema'

const nothingTyped: Required<BuyerDetails> = {
  email: '',
  name: '',
  line1: '',
  line2: '',
  city: '',
  state: '',
  postalCode: '',
  country: 'US',
  phone: '',
}

const never = () => () => undefined

function readStored(text: string | null): Required<BuyerDetails> {
  try {
    const stored = (JSON.parse(text ?? '{}') ?? {}) as Partial<Record<string, unknown>>
    const entries = Object.entries(nothingTyped).map(([name, empty]) => {
      const value = stored[name]
      return [name, typeof value === 'string' ? value : empty]
    })
    return Object.fromEntries(entries) as Required<BuyerDetails>
  } catch {
    return nothingTyped
  }
}

/**
 * Returns the details that the buyer has typed on the embedded checkout, without card data, and a function that changes
 * them. The details are kept in this tab, so that the buyer need not type them again after a reload or for a new hold.
 */
export function useTypedDetails(): [BuyerDetails, (details: BuyerDetails) => void] {
  const stored = useSyncExternalStore(
    never,
    () => tabStorage.get(storageKeys.buyerDetails),
    () => null,
  )
  const [typed, setTyped] = useState<BuyerDetails | null>(null)
  const type = (details: BuyerDetails) => {
    setTyped(details)
    tabStorage.set(storageKeys.buyerDetails, JSON.stringify(details))
  }
  return [typed ?? readStored(stored), type]
}
