import { countryName, countryWithArticle } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'

/** Texts about the countries that a drop is shipped to, and their surcharges. */
export const zoneTexts = {
  legend: 'Where you ship',
  included: 'everywhere, included in the price',
  hint: 'Leave this empty to ship to every country we support, with shipping in your price. Or choose countries and add a surcharge per order.',
  surcharge: 'Surcharge per order',
  search: 'Add a country',
  nothingFound: 'No other country matches.',
  addZone: 'Add a zone',
  addFirstZone: 'Choose countries',
  removeZone: 'Remove zone',
  eu: 'European Union',
  rest: 'All other countries',
  shipTo: 'Ship to',
  question: 'Where does your order ship to?',
  next: 'Continue to payment',
  choose: 'Choose a country',
  missing: 'Please choose the country your order ships to.',
  plusShipping: 'Plus shipping',
  onlyThere: 'This drop ships to this country only.',
  unreadable: 'Write each zone like {"surcharge": "6.00", "countries": ["DE", "FR"]}.',
  tooMany: 'A drop can have up to three shipping zones. Please remove one.',
  noCountries: 'Add at least one country to each zone, or remove the zone.',
  badSurcharge: 'Enter a surcharge from $0 to $999,999.99, like 6.00.',
  tooMuch: 'Price and surcharge together can be at most $999,999.99. Please lower one of them.',
  fixed: "You can't change the countries or shipping costs after the start. You can choose others for your next drop.",
} as const

/** The text about a country to which no parcel can be sent. */
export function unknownCountryText(code: string): string {
  return `We can't ship to “${code.slice(0, 20)}”. Please use a country from our list.`
}

/** The text about a country that is listed twice. */
export function twiceText(code: string): string {
  return `${countryName(code)} is listed twice. A country can be in one zone only.`
}

/** What shipping to a country costs, in words: "Shipping to Germany $6.00". */
export function shippingText(country: string, cents: number): string {
  return `${shippingLabel(country)} ${cents === 0 ? 'included' : formatUsd(cents)}`
}

/** The price of a unit for emails and previews: "$24.00", or "$24.00 plus shipping" where a country has a surcharge. */
export function priceText({ priceCents, hasSurcharge }: { priceCents: number; hasSurcharge: boolean }): string {
  return `${formatUsd(priceCents)}${hasSurcharge ? ' plus shipping' : ''}`
}

/** The zones of a drop's row or of its view; only their surcharges matter. */
type Surcharges = readonly ({ cents: number } | { surchargeCents: number })[]

/** Whether orders to some country cost more than the price. */
export function hasSurcharge(zones: Surcharges | null | undefined): boolean {
  return (zones ?? []).some((zone) => ('cents' in zone ? zone.cents : zone.surchargeCents) > 0)
}

/** Returns priceText() of a drop. */
export function priceOf(drop: { priceCents: number; shippingZones?: Surcharges | null | undefined }): string {
  return priceText({ priceCents: drop.priceCents, hasSurcharge: hasSurcharge(drop.shippingZones) })
}

/** Where a drop is shipped to, in words: "Ships to Germany and France for $6.00. Ships to Japan for $15.00." */
export function zonesText(zones: readonly { surchargeCents: number; countries: readonly string[] }[]): string {
  const parts = zones.map(({ countries, surchargeCents: cents }) => {
    const names = countries.map(countryWithArticle)
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join('')
    return `Ships to ${list} ${cents === 0 ? 'at no extra cost' : `for ${formatUsd(cents)}`}.`
  })
  return parts.join(' ')
}

/** The name of the line with the surcharge: "Shipping to Germany". */
export function shippingLabel(country: string): string {
  return `Shipping to ${countryWithArticle(country)}`
}

/** A summary of typed zones: "3 countries in 2 zones". */
export function zoneSummary(zones: readonly { countries: readonly string[] }[]): string {
  if (zones.length === 0) return zoneTexts.included
  const count = zones.reduce((sum, { countries }) => sum + countries.length, 0)
  return `${count} ${count === 1 ? 'country' : 'countries'} in ${zones.length} ${zones.length === 1 ? 'zone' : 'zones'}`
}
