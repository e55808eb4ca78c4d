/** The countries a physical drop can be shipped to, as the checkout offers them. */
export const SHIPPING_COUNTRIES = [
  'US', 'CA', 'GB', 'IE', 'DE', 'FR', 'NL', 'BE', 'LU', 'AT', 'CH', 'ES', 'PT', 'IT', 'SE', 'DK', 'NO', 'FI', 'PL',
  'CZ', 'AU', 'NZ', 'JP', 'SG',
] as const // prettier-ignore

/** The shipping countries that are in the European Union. */
export const EU_COUNTRIES: readonly string[] = [
  'IE', 'DE', 'FR', 'NL', 'BE', 'LU', 'AT', 'ES', 'PT', 'IT', 'SE', 'DK', 'FI', 'PL', 'CZ',
] // prettier-ignore

/**
 * The countries from which a parcel can be sent: the shipping countries, and others in which a seller can be paid out.
 */
export const ORIGIN_COUNTRIES = [
  ...SHIPPING_COUNTRIES, 'BG', 'HR', 'CY', 'EE', 'GR', 'HU', 'IS', 'LV', 'LI', 'LT', 'MT', 'RO', 'SK', 'SI',
] as const // prettier-ignore

/** Whether a string is the code of a country to which parcels can be sent. */
export function isShippingCountry(code: string): code is (typeof SHIPPING_COUNTRIES)[number] {
  return (SHIPPING_COUNTRIES as readonly string[]).includes(code)
}

const regions = new Intl.DisplayNames(['en'], { type: 'region' })

/**
 * Returns the English name of a country ("Germany" for "DE"). A string that is not a country code is returned
 * unchanged.
 */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code
}

/** Returns the name of a country for use in a sentence. Some names need an article: "the Netherlands". */
export function countryWithArticle(code: string): string {
  return ['US', 'GB', 'NL'].includes(code) ? `the ${countryName(code)}` : countryName(code)
}
