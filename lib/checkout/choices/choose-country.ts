import 'server-only'
import type { DropRow } from '@/lib/drops/view'
import { onlyCountry, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { AppError } from '@/lib/kernel/app-error'
import { countryWithArticle, isShippingCountry } from '@/lib/kernel/country'
import { checkoutError } from '../messages'
import { refusedCountryText } from './country-messages'

type Shipping = { shipsTo: string | null; shippingCents: number }

/**
 * Returns the country that an order is shipped to and the surcharge for it, according to the drop that was read.
 * takeHold() reads the surcharge again and charges that one. Without zones, and for products that are not shipped, no
 * country is chosen. A drop with one country needs no choice, and a buyer who holds units of this drop keeps the
 * country of that hold.
 * @throws SELLER_HOME, COUNTRY_MISSING, COUNTRY_UNKNOWN, COUNTRY_REFUSED
 */
export function chooseCountry(
  { shippingZones: zones }: Pick<DropRow, 'shippingZones'>,
  typed = '',
  open: { isHeld: boolean; shipsTo: string | null } | null = null,
): Shipping {
  const chosen = typed.trim().toUpperCase()
  // Only limitToHome() leaves an empty list.
  if (zones?.length === 0) throw checkoutError('SELLER_HOME')
  if (!zones) {
    // The price includes shipping to every country, so the chosen one changes nothing.
    if (chosen !== '' && !isShippingCountry(chosen)) throw checkoutError('COUNTRY_UNKNOWN')
    return { shipsTo: null, shippingCents: 0 }
  }
  const country = chosen || onlyCountry(zones) || (open?.isHeld && open.shipsTo) || null
  if (country === null) throw checkoutError('COUNTRY_MISSING')
  if (!isShippingCountry(country)) throw checkoutError('COUNTRY_UNKNOWN')
  const zone = zoneOf(zones, country)
  if (!zone) throw checkoutError('COUNTRY_REFUSED', { text: refusedCountryText(countryWithArticle(country)) })
  return { shipsTo: country, shippingCents: zone.cents }
}

/**
 * Makes the same choice for the URL of the payment page. `problem` is the text to show when the country is missing or
 * refused.
 */
export function countryOfPage(
  drop: Pick<DropRow, 'shippingZones'>,
  typed: string,
): { shipping: { country: string; cents: number } | null } | { problem: string } {
  try {
    const { shipsTo, shippingCents: cents } = chooseCountry(drop, typed)
    return { shipping: shipsTo === null ? null : { country: shipsTo, cents } }
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message }
    throw error
  }
}
