import { toDecimal } from '@/lib/kernel/money'
import type { ShippingZone } from './zone-rules'

/** Some countries to which shipping costs the same: the surcharge for each order, as a decimal string and in cents. */
export type ShippingZoneView = { surcharge: string; surchargeCents: number; countries: string[] }

/** Makes the view of a shipping zone, with the surcharge in both forms that the contract has. */
export function toZoneView({ cents, countries }: ShippingZone): ShippingZoneView {
  return { surcharge: toDecimal(cents), surchargeCents: cents, countries }
}
