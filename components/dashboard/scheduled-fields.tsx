'use client'

import { type Control, Controller, useWatch } from 'react-hook-form'
import { ConditionOptions } from '@/components/drops/condition-options'
import { OriginOptions } from '@/components/drops/origin-options'
import { StartAnswers } from '@/components/drops/start-answers'
import { StartHint } from '@/components/drops/start-hint'
import { ZoneFields } from '@/components/drops/zone-fields'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { DURATIONS, MAX_SHIPPING_NOTE, MAX_TITLE } from '@/lib/drops/rules'
import { shipTexts } from '@/lib/drops/delivery/ship-messages'
import type { SellerDropView } from '@/lib/drops/view'
import type { EditDropForm, EditedDrop } from '@/lib/drops/edit-schema'
import { productTypeLabels } from '@/lib/kernel/product-type'
import { productTypes } from '@/lib/kernel/product-type'
import { EarlyFields } from './early-fields'
import { DeliveryFields } from './delivery-fields'

type ScheduledFieldsProps = {
  control: Control<EditDropForm, unknown, EditedDrop>
  dropId: number
  timezone: string
  /** The drop as it is now. */
  delivery: Pick<SellerDropView, 'id' | 'productType' | 'digitalFileName'>
  /** An open edition has no early access. */
  isOpenEdition: boolean
}

/** Shows the fields that can be edited only until the drop starts (docs/product.md#scheduled-start). */
export function ScheduledFields({ control, dropId, timezone, delivery, isOpenEdition }: ScheduledFieldsProps) {
  const [startsAt, productType] = useWatch({ control, name: ['startsAt', 'productType'] })
  return (
    <>
      <LabeledField
        control={control}
        name="startsAt"
        id={`edit-start-${dropId}`}
        label="Starts at"
        hint={<StartHint typed={String(startsAt ?? '')} timezone={timezone} />}
      >
        {({ value, ...field }) => (
          <Input {...field} value={String(value ?? '')} type="datetime-local" className="tabular" />
        )}
      </LabeledField>
      <StartAnswers />
      {isOpenEdition ? null : <EarlyFields control={control} dropId={dropId} />}
      <LabeledField control={control} name="duration" id={`edit-duration-${dropId}`} label="Duration">
        {({ value, ...field }) => (
          <NativeSelect {...field} value={String(value)}>
            {DURATIONS.map((hours) => (
              <option key={hours} value={String(hours)}>
                {hours} hours
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField control={control} name="title" id={`edit-title-${dropId}`} label="Product Name">
        {(field) => <Input {...field} maxLength={MAX_TITLE} autoComplete="off" />}
      </LabeledField>
      <LabeledField control={control} name="price" id={`edit-price-${dropId}`} label="Price in US dollars">
        {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
      </LabeledField>
      <LabeledField control={control} name="productType" id={`edit-type-${dropId}`} label="Type">
        {(field) => (
          <NativeSelect {...field}>
            {productTypes.map((type) => (
              <option key={type} value={type}>
                {productTypeLabels[type]}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      {productType === 'physical' ? <PromiseFields control={control} dropId={dropId} /> : null}
      {productType === 'digital' ? <DeliveryFields control={control} drop={delivery} /> : null}
    </>
  )
}

/** Shows the fields that say in which condition the goods are, and from where, by when and how a parcel is sent. */
function PromiseFields({ control, dropId }: Pick<ScheduledFieldsProps, 'control' | 'dropId'>) {
  const home = useWatch({ control, name: 'shipsFrom' })
  return (
    <>
      <LabeledField control={control} name="condition" id={`edit-condition-${dropId}`} label={shipTexts.conditionLabel}>
        {({ value, ...field }) => (
          <NativeSelect {...field} value={value ?? 'new'}>
            <ConditionOptions />
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField control={control} name="shipsFrom" id={`edit-ships-from-${dropId}`} label={shipTexts.fromLabel}>
        {({ value, ...field }) => (
          <NativeSelect {...field} value={String(value ?? '')}>
            <OriginOptions />
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField
        control={control}
        name="shipsWithin"
        id={`edit-ships-within-${dropId}`}
        label={shipTexts.withinLabel}
        hint={shipTexts.withinHint}
      >
        {({ value, ...field }) => (
          <Input {...field} value={String(value ?? '')} inputMode="numeric" autoComplete="off" />
        )}
      </LabeledField>
      <Controller
        control={control}
        name="shippingZones"
        render={({ field: { value, ...field }, fieldState }) => (
          <ZoneFields
            {...field}
            id={`edit-zones-${dropId}`}
            value={typeof value === 'string' ? value : ''}
            home={String(home ?? '')}
            problem={fieldState.error?.message}
          />
        )}
      />
      <LabeledField
        control={control}
        name="shippingNote"
        id={`edit-note-${dropId}`}
        label="Shipping Note"
        hint="Buyers enter their address at checkout."
        optional
      >
        {({ value, ...field }) => (
          <Input {...field} value={String(value ?? '')} maxLength={MAX_SHIPPING_NOTE} autoComplete="off" />
        )}
      </LabeledField>
    </>
  )
}
