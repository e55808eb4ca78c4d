/** The countries a physical drop can be shipped to, as the checkout offers them. */
export const SHIPPING_COUNTRIES = [
  'US', 'CA', 'GB', 'IE', 'DE', 'FR', 'NL', 'BE', 'LU', 'AT', 'CH', 'ES', 'PT', 'IT', 'SE', 'DK', 'NO', 'FI', 'PL',
  'CZ', 'AU', 'NZ', 'JP', 'SG',
] as const // prettier-ignore

const regions = new Intl.DisplayNames(['en'], { type: 'region' })

/** The English name of a country code ("DE" gives "Germany"); any other text is returned unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code
}
