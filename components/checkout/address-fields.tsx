'use client'

import type { Control } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { countryName, SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import type { BuyerDetails } from '@/lib/orders/address-schema'

type AddressFieldsProps = {
  control: Control<BuyerDetails>
  /** Whether the browser checks the required fields. The checkout checks them itself, so it leaves this off. */
  isRequired?: boolean
  /** The countries that the address may be in. Without them, all countries of the platform are offered. */
  countries?: readonly string[] | null
}

export function AddressFields({ control, isRequired = false, countries }: AddressFieldsProps) {
  const own = { control, isRequired }
  return (
    <FieldSet className="grid gap-4">
      <FieldLegend>Shipping address</FieldLegend>
      <AddressLine {...own} name="name" label="Full name" autoComplete="shipping name" />
      <LabeledField control={control} name="country" id="buyer-country" label="Country">
        {(field) => (
          <NativeSelect {...field} autoComplete="shipping country">
            {(countries ?? SHIPPING_COUNTRIES).map((code) => (
              <option key={code} value={code}>
                {countryName(code)}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <AddressLine {...own} name="line1" label="Address line 1" autoComplete="shipping address-line1" />
      <AddressLine {...own} name="line2" label="Address line 2" autoComplete="shipping address-line2" optional />
      <div className="grid grid-cols-2 gap-3">
        <AddressLine {...own} name="city" label="City" autoComplete="shipping address-level2" />
        <AddressLine {...own} name="postalCode" label="Postal code" autoComplete="shipping postal-code" />
      </div>
      <AddressLine {...own} name="state" label="State or region" autoComplete="shipping address-level1" optional />
      <LabeledField
        control={control}
        name="phone"
        id="buyer-phone"
        label="Phone"
        hint="Only used for delivery."
        optional
      >
        {(field) => <Input {...field} autoComplete="tel" type="tel" inputMode="tel" />}
      </LabeledField>
    </FieldSet>
  )
}

type AddressLineProps = AddressFieldsProps & {
  name: 'name' | 'line1' | 'line2' | 'city' | 'state' | 'postalCode'
  label: string
  autoComplete: string
  optional?: boolean
}

function AddressLine({ control, isRequired = false, name, label, autoComplete, optional = false }: AddressLineProps) {
  return (
    <LabeledField control={control} name={name} id={`buyer-${name}`} label={label} optional={optional}>
      {(field) => <Input {...field} autoComplete={autoComplete} required={isRequired && !optional} />}
    </LabeledField>
  )
}
