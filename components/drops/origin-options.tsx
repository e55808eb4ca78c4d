import { countryName, ORIGIN_COUNTRIES } from '@/lib/kernel/country'

/**
 * Lists the countries that a seller can ship from, as options of a select. With the first option, no country is stated.
 */
export function OriginOptions() {
  return (
    <>
      <option value="">Not stated</option>
      {ORIGIN_COUNTRIES.map((code) => (
        <option key={code} value={code}>
          {countryName(code)}
        </option>
      ))}
    </>
  )
}
