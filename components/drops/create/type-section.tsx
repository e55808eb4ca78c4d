'use client'

import { type Control, Controller, useFormState, useWatch } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { keyTexts } from '@/lib/drops/keys/key-messages'
import { MAX_SHIPPING_NOTE } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { shipLine, shipTexts } from '@/lib/drops/delivery/ship-messages'
import { FileField } from '../file-field'
import { KeyField } from '../key-field'
import { ConditionOptions } from '../condition-options'
import { OriginOptions } from '../origin-options'
import { ZoneFields } from '../zone-fields'
import { Choice } from './choice'
import { FormFold } from './form-fold'

type TypeSectionProps = { control: Control<CreateDropForm> }

/** Shows the fields that only the chosen type of product has. A service has an explanation instead. */
export function TypeSection({ control }: TypeSectionProps) {
  const productType = useWatch({ control, name: 'productType' })
  if (productType === 'service') return <ServiceNote />
  if (productType === 'digital') return <DigitalFileFields control={control} />
  return (
    <>
      <ShippingFields control={control} />
      <ZonesOfDrop control={control} />
    </>
  )
}

/** Shows in one line what is remembered from the last drop about sending parcels, with the fields folded behind it. */
function ShippingFields({ control }: TypeSectionProps) {
  const [condition, shipsFrom, shipsWithin, note] = useWatch({
    control,
    name: ['condition', 'shipsFrom', 'shipsWithin', 'shippingNote'],
  })
  const { errors } = useFormState({ control, name: ['shipsFrom', 'shipsWithin', 'shippingNote'] })
  const hasProblem = Boolean(errors.shipsFrom ?? errors.shipsWithin ?? errors.shippingNote)
  return (
    <FormFold line={shipLine({ condition, shipsFrom, shipsWithin, note })} hasProblem={hasProblem}>
      <LabeledField control={control} name="condition" id="condition" label={shipTexts.conditionLabel}>
        {(field) => (
          <NativeSelect {...field}>
            <ConditionOptions />
          </NativeSelect>
        )}
      </LabeledField>
      <PromiseFields control={control} />
      <LabeledField
        control={control}
        name="shippingNote"
        id="shippingNote"
        label="Shipping Note"
        optional
        hint="Buyers enter their address at checkout."
      >
        {(field) => <Input {...field} maxLength={MAX_SHIPPING_NOTE} placeholder="Packed in paper, with tracking" />}
      </LabeledField>
    </FormFold>
  )
}

/** Asks from where and by when a parcel is sent. Buyers read the day, which depends on the end of the drop. */
function PromiseFields({ control }: TypeSectionProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-3 max-[22rem]:grid-cols-1">
      <LabeledField control={control} name="shipsFrom" id="shipsFrom" label={shipTexts.fromLabel} optional>
        {(field) => (
          <NativeSelect {...field}>
            <OriginOptions />
          </NativeSelect>
        )}
      </LabeledField>
      <LabeledField control={control} name="shipsWithin" id="shipsWithin" label={shipTexts.withinLabel} optional>
        {(field) => <Input {...field} inputMode="numeric" autoComplete="off" placeholder="7" />}
      </LabeledField>
      <p className="col-span-full text-sm text-muted">{shipTexts.withinHint}</p>
    </div>
  )
}

function ZonesOfDrop({ control }: TypeSectionProps) {
  const home = useWatch({ control, name: 'shipsFrom' })
  return (
    <Controller
      control={control}
      name="shippingZones"
      render={({ field, fieldState }) => (
        <ZoneFields {...field} id="shippingZones" home={home} problem={fieldState.error?.message} />
      )}
    />
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
        In the description, say how long the service takes and where it happens.
      </p>
    </section>
  )
}

function DigitalFileFields({ control }: TypeSectionProps) {
  const source = useWatch({ control, name: 'digitalSource' })
  return (
    <>
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
          <FileField control={control} name="digitalFile" id="digitalFile" />
        ) : (
          <LabeledField
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
          </LabeledField>
        )}
      </FieldSet>
      <KeyField control={control} name="keys" id="keys" label={keyTexts.label} optional hint={keyTexts.hint} />
    </>
  )
}
