'use client'

import { type Control, Controller, useWatch } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabelledField } from '@/components/ui/labelled-field'
import { MAX_SHIPPING_NOTE } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { Choice } from './choice'
import { FilePicker } from './file-picker'

type TypeSectionProps = { control: Control<CreateDropForm> }

/** What only one type of product needs. */
export function TypeSection({ control }: TypeSectionProps) {
  const productType = useWatch({ control, name: 'productType' })
  if (productType === 'service') return <ServiceNote />
  if (productType === 'digital') return <DigitalFileFields control={control} />
  return (
    <LabelledField
      control={control}
      name="shippingNote"
      id="shippingNote"
      label="Shipping Note"
      optional
      hint="Shipping is included in the price. Buyers enter their address at checkout."
    >
      {(field) => <Input {...field} maxLength={MAX_SHIPPING_NOTE} placeholder="Ships within 3 days" />}
    </LabelledField>
  )
}

function ServiceNote() {
  return (
    <section className="rounded-card bg-sunken p-4" aria-labelledby="service-title">
      <h2 id="service-title" className="font-sans text-sm font-semibold tracking-normal">
        How a service works
      </h2>
      <p className="mt-1 text-sm text-muted">
        Each unit is one booking. Buyers leave their email address at checkout, and you arrange the details with them.
        Use the description to say how long it takes and where it happens.
      </p>
    </section>
  )
}

function DigitalFileFields({ control }: TypeSectionProps) {
  const source = useWatch({ control, name: 'digitalSource' })
  return (
    <FieldSet className="grid gap-3">
      <FieldLegend variant="label">Digital File</FieldLegend>
      <Controller
        control={control}
        name="digitalSource"
        rules={{ deps: ['digitalFile', 'digitalFileUrl'] }}
        render={({ field }) => (
          <div className="grid grid-cols-2 gap-2">
            {(['link', 'upload'] as const).map((choice) => (
              <Choice
                key={choice}
                name="digitalSource"
                value={choice}
                label={choice === 'link' ? 'External Link' : 'Upload File'}
                isChecked={field.value === choice}
                onSelect={() => field.onChange(choice)}
              />
            ))}
          </div>
        )}
      />
      {source === 'upload' ? (
        <FilePicker control={control} />
      ) : (
        <LabelledField
          control={control}
          name="digitalFileUrl"
          id="digitalFileUrl"
          label="Link to the file"
          hint="Buyers get the link after paying. Nobody else can see it."
        >
          {(field) => (
            <Input
              {...field}
              type="url"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              placeholder="https://"
            />
          )}
        </LabelledField>
      )}
    </FieldSet>
  )
}
