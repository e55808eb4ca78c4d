import 'server-only'
import type { DropRow } from '@/lib/drops/view'
import { onlyCountry } from '@/lib/drops/delivery/zone-rules'
import type { Context } from '@/lib/infra/context'
import type { Database } from '@/lib/infra/db'
import { isShippingCountry } from '@/lib/kernel/country'
import { findHomeCountry } from '@/lib/traders/queries'
import { hasSellerLimit } from '@/lib/traders/has-seller-limit'

/**
 * Limits the parcels of a seller who has a monthly limit to the seller's home country
 * (docs/product.md#limit-of-unverified-sellers): a drop without zones gets one zone with that country, and any other
 * drop keeps only that country of its zones. Home is the country of the seller details or, before they are stated, the
 * operator's choice. Drops of all other sellers, and products that are not shipped, stay as they are and cost no query.
 */
export async function limitToHome<Row extends DropRow>(
  from: Pick<Context, 'sellerLimit'> & Pick<Database, 'sql'>,
  row: Row,
): Promise<Row> {
  const { sellerLimit } = from
  if (!sellerLimit || !hasSellerLimit(from, row) || row.productType !== 'physical') return row
  const home = (await findHomeCountry(from, row.userId)) ?? sellerLimit.homeCountry
  const { shippingZones: zones } = row
  if (!zones) {
    const own = isShippingCountry(home) ? [{ cents: 0, countries: [home] }] : []
    return { ...row, shippingZones: own, isHomeOnly: true }
  }
  const left = zones.filter(({ countries }) => countries.includes(home))
  // Without the home country no zone is left, and chooseCountry() refuses every buyer.
  return { ...row, shippingZones: left.map(({ cents }) => ({ cents, countries: [home] })) }
}

/**
 * The only country of a limited drop whose stored price includes shipping everywhere; null for all other drops. A
 * payment page of an order from before the limit needs it, because that order has no country.
 */
export function homeOf({ isHomeOnly, shippingZones }: Pick<DropRow, 'isHomeOnly' | 'shippingZones'>): string | null {
  return isHomeOnly && shippingZones ? onlyCountry(shippingZones) : null
}
