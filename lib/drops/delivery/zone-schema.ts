import { z } from 'zod/mini'
import { zoneTexts } from './zone-messages'
import { fitsPrice, readZones, type ShippingZone } from './zone-rules'

/**
 * The zones that a drop is shipped to, as JSON or as a list. Without zones the result is null: the price includes
 * shipping to all countries.
 */
export const shippingZones = z.pipe(
  z.unknown(),
  z.transform((given: unknown, { issues }): ShippingZone[] | null => {
    const read = readZones(given ?? [])
    if ('problem' in read) issues.push({ code: 'custom', input: given, message: read.problem })
    return 'problem' in read || read.zones.length === 0 ? null : read.zones
  }),
)

/** One unit must be payable with every surcharge. */
export const payableZones = z.check<{ price: number; shippingZones?: ShippingZone[] | null | undefined }>((context) => {
  const { price, shippingZones: zones } = context.value
  if (fitsPrice(zones ?? [], price)) return
  context.issues.push({ code: 'custom', input: context.value, message: zoneTexts.tooMuch, path: ['shippingZones'] })
})
