const regions = new Intl.DisplayNames(['en'], { type: 'region' })

/** The English name: "Germany" of "DE"; whatever is no code stays as it is. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : code
}
