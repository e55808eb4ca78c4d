const regions = new Intl.DisplayNames(['en'], { type: 'region' })

/** The English name of a country code ("DE" gives "Germany"); any other text is returned unchanged. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code
}
