import { type AddressColumns, countriesOfOrder, undoUntil } from './address-rules'
import type { OrderStatus } from './rules'
import type { AddressFormView } from './view'

type Row = AddressColumns & {
  status: OrderStatus
  productType: string
  lateRefundAt: Date | null
  shipsTo: string | null
  drop: { shippingZones: unknown }
}

/**
 * Returns the data of the form for another address, or null when the address can no longer change.
 * @param isHomeOnly whether the seller ships only to one country for now
 */
export function addressFormOf(
  row: Row,
  newest: { createdAt: Date; isUndo: boolean } | undefined,
  isHomeOnly: boolean,
): AddressFormView | null {
  if (row.status !== 'paid' || row.productType !== 'physical' || row.lateRefundAt !== null) return null
  const { shipName, shipLine1, shipLine2, shipCity, shipState, shipPostalCode, shipCountry, buyerPhone } = row
  return {
    values: {
      name: shipName ?? '',
      line1: shipLine1 ?? '',
      line2: shipLine2 ?? '',
      city: shipCity ?? '',
      state: shipState ?? '',
      postalCode: shipPostalCode ?? '',
      country: shipCountry ?? 'US',
      phone: buyerPhone ?? '',
    },
    countries: countriesOfOrder(row, { ...row.drop, isHomeOnly }),
    undoUntil: newest && !newest.isUndo ? undoUntil(newest).toISOString() : null,
  }
}
