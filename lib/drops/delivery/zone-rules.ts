import { isShippingCountry, SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { MAX_PRICE_CENTS, parsePriceCents, toDecimal } from '@/lib/kernel/money'
import { twiceText, unknownCountryText, zoneTexts } from './zone-messages'

/** The most zones of a drop (docs/product.md#shipping-zones). A rule of the table has the same limit (ADR 0076). */
export const MAX_ZONES = 3

/** Some countries to which shipping costs the same: a surcharge in cents for each order. */
export type ShippingZone = { cents: number; countries: string[] }

/** Zones as the form of a seller and the calls of the API write them, with the surcharge as it is typed. */
export type TypedZone = { surcharge: string; countries: string[] }

/** Returns the zone of a country, or null when no zone has it. */
export function zoneOf<Zone extends { countries: readonly string[] }>(
  zones: readonly Zone[],
  country: string | null,
): Zone | null {
  return zones.find(({ countries }) => country !== null && countries.includes(country)) ?? null
}

/** Returns the countries of all zones in the order of the platform's list. */
export function servedCountries(zones: readonly { countries: readonly string[] }[]): string[] {
  return SHIPPING_COUNTRIES.filter((code) => zoneOf(zones, code) !== null)
}

/** Returns the country of a drop that is shipped to one country only, so that its buyers need not choose. */
export function onlyCountry(zones: readonly { countries: readonly string[] }[]): string | null {
  const served = servedCountries(zones)
  return served.length === 1 ? (served[0] ?? null) : null
}

/** Whether the price of one unit plus any of the surcharges stays within the largest amount of a payment. */
export function fitsPrice(zones: readonly ShippingZone[], priceCents: number): boolean {
  return zones.every(({ cents }) => priceCents + cents <= MAX_PRICE_CENTS)
}

/**
 * Reads zones as JSON or as a list. Returns them, or the text about the first problem. No zones means that the price
 * includes shipping.
 */
export function readZones(given: unknown): { zones: ShippingZone[] } | { problem: string } {
  const list = typedZones(given)
  if (!list) return { problem: zoneTexts.unreadable }
  if (list.length > MAX_ZONES) return { problem: zoneTexts.tooMany }
  const seen = new Set<string>()
  const zones: ShippingZone[] = []
  for (const { surcharge, countries } of list) {
    const cents = parsePriceCents(surcharge.trim() || '0')
    if (cents === null || cents > MAX_PRICE_CENTS) return { problem: zoneTexts.badSurcharge }
    if (countries.length === 0) return { problem: zoneTexts.noCountries }
    const codes = countries.map((code) => code.trim().toUpperCase())
    for (const [at, code] of codes.entries()) {
      if (!isShippingCountry(code)) return { problem: unknownCountryText(countries[at] ?? code) }
      if (seen.has(code)) return { problem: twiceText(code) }
      seen.add(code)
    }
    zones.push({ cents, countries: codes })
  }
  return { zones }
}

/** Returns zones as the string that the forms keep, which is empty without zones. */
export function writeZones(zones: readonly ShippingZone[]): string {
  return zones.length === 0
    ? ''
    : JSON.stringify(zones.map(({ cents, countries }) => ({ surcharge: toDecimal(cents), countries })))
}

/**
 * Returns zones as the seller wrote them, or null if they do not have the structure of zones. Surcharges and countries
 * are not checked. A program may send a surcharge as a number of dollars.
 */
export function typedZones(given: unknown): TypedZone[] | null {
  const list = typeof given === 'string' ? parseList(given) : given
  if (!Array.isArray(list)) return null
  const zones = list.map(readTypedZone)
  return zones.every((zone) => zone !== null) ? zones : null
}

function readTypedZone(entry: unknown): TypedZone | null {
  if (typeof entry !== 'object' || entry === null) return null
  if (Object.keys(entry).sort().join() !== 'countries,surcharge') return null
  const { surcharge, countries } = entry as Record<keyof TypedZone, unknown>
  if (typeof surcharge !== 'string' && typeof surcharge !== 'number') return null
  if (!Array.isArray(countries) || !countries.every((code) => typeof code === 'string')) return null
  return { surcharge: String(surcharge), countries }
}

function parseList(text: string): unknown {
  try {
    return text.trim() === '' ? [] : JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Returns what buyers paid for all purchases, in cents: the price less the discounts of codes, and the surcharges for
 * shipping (docs/product.md#live-analytics). Refunds are not deducted.
 */
export function revenueCentsOf(row: {
  purchases: number
  priceCents: number
  discountedCents: number
  paidShippingCents?: number
}): number {
  return row.purchases * row.priceCents - row.discountedCents + (row.paidShippingCents ?? 0)
}
