import type { DropRow } from '@/lib/drops/view'
import { writeZones } from '@/lib/drops/delivery/zone-rules'
import type { ProductType } from '@/lib/kernel/product-type'
import type { LastChoices } from './use-draft'

type Chosen = Pick<DropRow, keyof LastChoices>

/**
 * Returns what a seller usually chooses again, from the newest drop. A type that the plan no longer allows is left out.
 */
export function choicesOf(drop: Chosen, allowed: readonly ProductType[]): LastChoices {
  const { productType, condition, duration, shipsFrom, shipsWithin, shippingNote, maxPerBuyer, shippingZones } = drop
  return {
    ...(allowed.includes(productType) ? { productType } : {}),
    condition,
    duration,
    shippingNote,
    shipsFrom: shipsFrom ?? '',
    shipsWithin: shipsWithin?.toString() ?? '',
    maxPerBuyer: maxPerBuyer?.toString() ?? '',
    shippingZones: writeZones(shippingZones ?? []),
  }
}
