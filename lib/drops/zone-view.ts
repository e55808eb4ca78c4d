import { toDecimal } from '@/lib/kernel/money'
import type { ShippingZone } from './zone-rules'

/** Some countries to which shipping costs the same: the surcharge for each order, as a decimal string and in cents. */
export type ShippingZoneView = { surcharge: string; surchargeCents: number; countries: string[] }

export function toZoneView({ cents, countries }: ShippingZone): ShippingZoneView {
  return { surcharge: toDecimal(cents), surchargeCents: cents, countries }
}
