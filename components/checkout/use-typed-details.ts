import { useState, useSyncExternalStore } from 'react'
import { storageKeys } from '@/lib/client/storage-keys'
import type { BuyerDetails } from '@/lib/orders/schema'

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
 * What the buyer has typed on the embedded checkout, without card data. It is kept in this tab, so that a reload or a new
 * hold does not ask for it again.
 */
export function useTypedDetails(): [BuyerDetails, (details: BuyerDetails) => void] {
  const stored = useSyncExternalStore(
    never,
    () => sessionStorage.getItem(storageKeys.buyerDetails),
    () => null,
  )
  const [typed, setTyped] = useState<BuyerDetails | null>(null)
  const type = (details: BuyerDetails) => {
    setTyped(details)
    try {
      sessionStorage.setItem(storageKeys.buyerDetails, JSON.stringify(details))
    } catch {
      // The browser keeps nothing: a reload then asks again.
    }
  }
  return [typed ?? readStored(stored), type]
}
