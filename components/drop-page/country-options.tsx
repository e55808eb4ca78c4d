import type { ShippingZoneView } from '@/lib/drops/delivery/zone-view'
import { zoneTexts } from '@/lib/drops/delivery/zone-messages'
import { servedCountries, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { countryName } from '@/lib/kernel/country'
import { formatUsd } from '@/lib/kernel/money'

/** Lists the countries of a drop as options of a select, each with its surcharge: "Germany, +$6.00". */
export function CountryOptions({ zones }: { zones: readonly ShippingZoneView[] }) {
  const options = servedCountries(zones).map((code) => ({ code, cents: zoneOf(zones, code)?.surchargeCents ?? 0 }))
  return (
    <>
      <option value="">{zoneTexts.choose}</option>
      {options.map(({ code, cents }) => (
        <option key={code} value={code}>
          {countryName(code)}, {cents === 0 ? 'included' : `+${formatUsd(cents)}`}
        </option>
      ))}
    </>
  )
}
