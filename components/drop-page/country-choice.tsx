import { useEffect, useRef } from 'react'
import { NativeSelect } from '@/components/ui/native-select'
import type { DropView } from '@/lib/drops/view'
import type { ShippingZoneView } from '@/lib/drops/delivery/zone-view'
import { hasSurcharge, shippingText, zoneTexts } from '@/lib/drops/delivery/zone-messages'
import { onlyCountry } from '@/lib/drops/delivery/zone-rules'
import { BUY_FORM } from './option-chips'
import { CountryOptions } from './country-options'
import { type ChosenCountry, COUNTRY_FIELD } from './use-chosen-country'

type CountryChoiceProps = {
  zones: readonly ShippingZoneView[]
  shipping: ChosenCountry
  onChoose: (country: string) => void
  /** True when the buyer pressed Buy without a country. */
  isMissing: boolean
}

/**
 * Asks for the country that the order is shipped to, and says what shipping to it costs. Without JavaScript, the chosen
 * country is sent with the form of the Buy button.
 */
export function CountryChoice({ zones, shipping, onChoose, isMissing }: CountryChoiceProps) {
  const select = useRef<HTMLSelectElement>(null)
  useEffect(() => {
    // With JavaScript, the page shows its own message instead of the browser's.
    if (select.current) select.current.required = false
  }, [])
  const { country, cents } = shipping
  const only = onlyCountry(zones)
  if (only) {
    return (
      <p className="text-sm font-medium">
        {shippingText(only, cents)}. {zoneTexts.onlyThere}
      </p>
    )
  }
  return (
    <div className="grid gap-2">
      <label htmlFor={COUNTRY_FIELD} className="text-sm font-semibold">
        {zoneTexts.shipTo}
      </label>
      <NativeSelect
        ref={select}
        id={COUNTRY_FIELD}
        name="country"
        form={BUY_FORM}
        required
        value={country ?? ''}
        aria-invalid={isMissing || undefined}
        aria-describedby="ship-to-note ship-to-problem"
        onChange={(event) => onChoose(event.target.value)}
        size="lg"
      >
        <CountryOptions zones={zones} />
      </NativeSelect>
      <p id="ship-to-note" aria-live="polite" className="tabular text-sm text-muted empty:hidden">
        {country ? `${shippingText(country, cents)}, once per order.` : null}
      </p>
      <p id="ship-to-problem" role="alert" className="text-sm font-medium text-bad empty:hidden">
        {isMissing ? zoneTexts.missing : null}
      </p>
    </div>
  )
}

/** Says below the price whether shipping is part of it. */
export function ShippingNote({ drop }: { drop: Pick<DropView, 'productType' | 'state' | 'shippingZones'> }) {
  if (drop.productType !== 'physical' || drop.state === 'ended') return null
  return (
    <span className="block font-sans text-sm font-medium text-muted">
      {hasSurcharge(drop.shippingZones) ? zoneTexts.plusShipping : 'Shipping included'}
    </span>
  )
}
