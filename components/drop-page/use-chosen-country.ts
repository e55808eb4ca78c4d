'use client'

import { useState } from 'react'
import { hasSurcharge } from '@/lib/drops/delivery/zone-messages'
import { onlyCountry, zoneOf } from '@/lib/drops/delivery/zone-rules'
import type { DropView } from '@/lib/drops/view'

/** The id of the field for the country. */
export const COUNTRY_FIELD = 'ship-to'

/**
 * Where an order is shipped to: the chosen country, or null before the choice, its surcharge, and whether any country
 * has a surcharge. `ask` shows the buyer that a country has to be chosen first.
 */
export type ChosenCountry = { country: string | null; cents: number; mayCostMore: boolean; ask: () => void }

/**
 * Returns the country that the buyer chose, and the properties of CountryChoice, which asks for it. Both are null for a
 * drop whose price includes shipping. The properties are also null while the drop is neither live nor scheduled. A drop
 * with one country needs no choice.
 */
export function useChosenCountry({ shippingZones, state }: Pick<DropView, 'shippingZones' | 'state'>) {
  // A new seller who ships only within a country that the drop does not serve has no zone. There is nothing to choose,
  // and the server says why nobody can buy (lib/checkout/hold/limit-to-home.ts).
  const zones = shippingZones?.length === 0 ? null : shippingZones
  const [picked, setPicked] = useState<string | null>(null)
  const [isMissing, setIsMissing] = useState(false)
  const choose = (country: string) => {
    setPicked(country || null)
    setIsMissing(false)
  }
  const ask = () => {
    setIsMissing(true)
    document.getElementById(COUNTRY_FIELD)?.focus()
  }
  const zone = zones ? zoneOf(zones, onlyCountry(zones) ?? picked) : null
  const country = zone && zones ? (onlyCountry(zones) ?? picked) : null
  const shipping: ChosenCountry | null = zones
    ? { country, cents: zone?.surchargeCents ?? 0, mayCostMore: hasSurcharge(zones), ask }
    : null
  const isAsked = state === 'live' || state === 'upcoming'
  const question = zones && shipping && isAsked ? { zones, shipping, isMissing, onChoose: choose } : null
  return { shipping, question }
}
