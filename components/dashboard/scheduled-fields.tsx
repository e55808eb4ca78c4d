'use client'

import { type Control, useWatch } from 'react-hook-form'
import { StartHint } from '@/components/drops/start-hint'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { DURATIONS, MAX_TITLE } from '@/lib/drops/rules'
import type { EditDropFields, EditDropForm } from '@/lib/drops/schema'
import { productTypes } from '@/lib/kernel/product-type'

const typeLabel = { physical: 'Physical', digital: 'Digital', service: 'Service' } as const

type ScheduledFieldsProps = {
  control: Control<EditDropForm, unknown, EditDropFields & { images: File[] }>
  dropId: number
  timezone: string
  /** Whether the drop has a file or a link that its buyers get. */
  hasFile: boolean
}

/** What can be edited until the drop starts, and not afterwards (docs/product.md#scheduled-start). */
export function ScheduledFields({ control, dropId, timezone, hasFile }: ScheduledFieldsProps) {
  const [startsAt, productType] = useWatch({ control, name: ['startsAt', 'productType'] })
  return (
    <>
      <LabelledField
        control={control}
        name="startsAt"
        id={`edit-start-${dropId}`}
        label="Starts at"
        hint={<StartHint typed={String(startsAt ?? '')} timezone={timezone} />}
      >
        {({ value, ...field }) => (
          <Input {...field} value={String(value ?? '')} type="datetime-local" className="tabular" />
        )}
      </LabelledField>
      <LabelledField control={control} name="duration" id={`edit-duration-${dropId}`} label="Duration">
        {({ value, ...field }) => (
          <NativeSelect {...field} value={String(value)}>
            {DURATIONS.map((hours) => (
              <option key={hours} value={String(hours)}>
                {hours} hours
              </option>
            ))}
          </NativeSelect>
        )}
      </LabelledField>
      <LabelledField control={control} name="title" id={`edit-title-${dropId}`} label="Product Name">
        {(field) => <Input {...field} maxLength={MAX_TITLE} autoComplete="off" />}
      </LabelledField>
      <LabelledField control={control} name="price" id={`edit-price-${dropId}`} label="Price in US dollars">
        {(field) => <Input {...field} inputMode="decimal" autoComplete="off" />}
      </LabelledField>
      <LabelledField control={control} name="productType" id={`edit-type-${dropId}`} label="Type">
        {(field) => (
          <NativeSelect {...field}>
            {productTypes.map((type) => (
              <option key={type} value={type}>
                {typeLabel[type]}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabelledField>
      {productType === 'digital' ? (
        <LabelledField
          control={control}
          name="digitalFileUrl"
          id={`edit-link-${dropId}`}
          label="Link for buyers"
          hint={
            hasFile
              ? 'Leave it empty to keep the file or link the drop has.'
              : 'Buyers get it after they pay. To sell a file of your own, create a new drop.'
          }
        >
          {({ value, ...field }) => (
            <Input
              {...field}
              value={String(value ?? '')}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
            />
          )}
        </LabelledField>
      ) : null}
    </>
  )
}
