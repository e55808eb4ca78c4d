import { type ShippingZone, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { MINUTE_MS } from '@/lib/kernel/time'
import { type AddressRow, toAddress } from './view'

/** How long a buyer can undo a change of the address. */
const UNDO_MS = 10 * MINUTE_MS

/** How many times the address of one order can be changed. Each change sends two emails. */
export const MOST_ADDRESS_CHANGES = 10

/** The columns of an order that the buyer changes together with the address. */
export type AddressColumns = Omit<AddressRow, 'buyerName'>

/**
 * Returns only the address of a row. The fields always have the same sequence, because addresses are compared as JSON.
 */
export function addressOf(row: AddressColumns): AddressColumns {
  const { shipName, shipLine1, shipLine2, shipCity, shipState, shipPostalCode, shipCountry, buyerPhone } = row
  return { shipName, shipLine1, shipLine2, shipCity, shipState, shipPostalCode, shipCountry, buyerPhone }
}

/**
 * Returns the countries that the address of an order may be in: those of the zone whose surcharge was paid, or only the
 * home country when the seller shipped only at home (ADR 0068). Null for every country. Zones cannot change once
 * someone has bought.
 * @param drop.shippingZones the column of the drop's row
 * @param drop.isHomeOnly whether the seller ships only to one country for now, although the zone has more
 */
export function countriesOfOrder(
  { shipsTo }: { shipsTo: string | null },
  { shippingZones, isHomeOnly = false }: { shippingZones: unknown; isHomeOnly?: boolean },
): readonly string[] | null {
  if (shipsTo === null) return null
  if (isHomeOnly) return [shipsTo]
  return zoneOf((shippingZones ?? []) as ShippingZone[], shipsTo)?.countries ?? [shipsTo]
}

/** Returns the time until which the newest change of an address can be undone. */
export function undoUntil({ createdAt }: { createdAt: Date }): Date {
  return new Date(createdAt.getTime() + UNDO_MS)
}

/** Whether this change, the newest of its order, can still be undone. */
export function isUndoable(change: { createdAt: Date; isUndo: boolean }, now: Date): boolean {
  return !change.isUndo && now < undoUntil(change)
}

/** Returns an address on one line: "Bea Buyer, 1 Long Lane, London, N1 7GU, United Kingdom". */
export function addressLine(fields: AddressColumns): string {
  const address = toAddress({ ...fields, buyerName: null })
  return address ? [address.name, ...address.lines, address.country].filter(Boolean).join(', ') : 'No address'
}
