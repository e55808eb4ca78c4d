'use client'

import { useRef } from 'react'
import { type Control, Controller, useController, useFormState, useWatch } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Fold } from '@/components/ui/fold'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { SwitchField } from '@/components/ui/switch-field'
import { editionTexts } from '@/lib/drops/editions/edition-messages'
import { editionLine, openTexts } from '@/lib/drops/editions/open-messages'
import { namesOf, readValues, writeValues } from '@/lib/drops/options/option-rules'
import { DEFAULT_CAP } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { formatCount } from '@/lib/kernel/format-count'
import { Choice } from './choice'
import { FormFold } from './form-fold'

/**
 * Asks whether the edition is limited or open, and whether its units are numbered. Both are folded, because a plain
 * drop is limited and not numbered. The quantity of an open edition is its cap, in a field that is collapsed because
 * few sellers change it (docs/product.md#open-editions).
 */
export function EditionChoice({ control }: { control: Control<CreateDropForm> }) {
  const { field: edition } = useController({ control, name: 'isOpenEdition' })
  const { field: quantity } = useController({ control, name: 'quantity' })
  const { field: numbered } = useController({ control, name: 'isNumbered' })
  const { field: options } = useController({ control, name: 'options' })
  // A tap on Limited restores what the seller had chosen for the limited edition.
  const limited = useRef({ quantity: '1', isNumbered: false, options: '' })
  const choose = (isOpen: boolean) => {
    if (isOpen === edition.value) return
    if (isOpen) limited.current = { quantity: quantity.value, isNumbered: numbered.value, options: options.value }
    edition.onChange(isOpen)
    quantity.onChange(isOpen ? String(DEFAULT_CAP) : limited.current.quantity)
    numbered.onChange(isOpen || limited.current.isNumbered)
    const { options: withUnits } = limited.current
    const names = withoutUnits(withUnits)
    if (isOpen) options.onChange(names)
    else if (options.value === names) options.onChange(withUnits)
  }
  const productType = useWatch({ control, name: 'productType' })
  const { errors } = useFormState({ control, name: ['isOpenEdition', 'isNumbered'] })
  // The cap of an open edition is the quantity. The quantity of a limited edition is shown beside the price.
  const { errors: capErrors } = useFormState({ control, name: 'quantity' })
  const hasProblem = Boolean(
    errors.isOpenEdition ?? errors.isNumbered ?? (edition.value ? capErrors.quantity : undefined),
  )
  const isNumbered = productType === 'service' ? null : numbered.value
  return (
    <FormFold line={editionLine({ isOpen: edition.value, isNumbered })} hasProblem={hasProblem}>
      <div className="grid gap-2">
        <FieldSet>
          <FieldLegend variant="label">Edition</FieldLegend>
          <div className="grid grid-cols-2 gap-2">
            <Choice
              name="edition"
              value="limited"
              label={openTexts.limited}
              hint={openTexts.limitedHint}
              isChecked={!edition.value}
              onSelect={() => choose(false)}
            />
            <Choice
              name="edition"
              value="open"
              label={openTexts.open}
              hint={openTexts.openHint}
              isChecked={edition.value}
              onSelect={() => choose(true)}
            />
          </div>
        </FieldSet>
        {edition.value ? <CapField control={control} /> : null}
      </div>
      {productType === 'service' ? null : <NumberField control={control} isOpenEdition={edition.value} />}
    </FormFold>
  )
}

/** Returns typed choices without their units, as an open edition has them. Other text stays as it is. */
function withoutUnits(typed: string): string {
  const read = readValues(typed, { least: 0 })
  return 'problem' in read ? typed : writeValues(namesOf(read.values))
}

function CapField({ control }: { control: Control<CreateDropForm> }) {
  const cap = useWatch({ control, name: 'quantity' })
  const { errors } = useFormState({ control, name: 'quantity' })
  return (
    <>
      <p className="text-sm text-muted">{openTexts.formHint}</p>
      <Fold
        line={`Safety cap: ${cap === '' ? 'none' : formatCount(Number(cap))}`}
        isOpen={errors.quantity ? true : undefined}
      >
        <LabeledField
          control={control}
          name="quantity"
          id="quantity"
          label={openTexts.capLabel}
          hint={openTexts.capHint}
        >
          {(field) => (
            <Input
              {...field}
              onChange={(event) => field.onChange(event.target.value.replace(/\D/g, '').slice(0, 7))}
              inputMode="numeric"
              autoComplete="off"
              enterKeyHint="next"
              className="tabular"
            />
          )}
        </LabeledField>
      </Fold>
    </>
  )
}

/** Asks whether each unit gets a number. It is not shown for services, whose units cannot be numbered. */
function NumberField({ control, isOpenEdition }: { control: Control<CreateDropForm>; isOpenEdition: boolean }) {
  return (
    <Controller
      control={control}
      name="isNumbered"
      render={({ field: { value, onChange } }) => (
        <SwitchField
          label={editionTexts.option}
          hint={isOpenEdition ? `${openTexts.numberHint} ${editionTexts.optionHint}` : editionTexts.optionHint}
          checked={value}
          onCheckedChange={onChange}
        />
      )}
    />
  )
}
