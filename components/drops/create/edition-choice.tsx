'use client'

import { useRef } from 'react'
import { type Control, useController, useFormState, useWatch } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { openTexts } from '@/lib/drops/open-messages'
import { DEFAULT_CAP } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { formatCount } from '@/lib/kernel/format-count'
import { Choice } from './choice'

/**
 * Asks whether the edition is limited or open. The quantity of an open edition is its cap, in a field that is collapsed
 * because few sellers change it (docs/product.md#open-editions).
 */
export function EditionChoice({ control }: { control: Control<CreateDropForm> }) {
  const { field: edition } = useController({ control, name: 'isOpenEdition' })
  const { field: quantity } = useController({ control, name: 'quantity' })
  const { field: numbered } = useController({ control, name: 'isNumbered' })
  // A tap on Limited restores what the seller had chosen for the limited edition.
  const limited = useRef({ quantity: '1', isNumbered: false })
  const choose = (isOpen: boolean) => {
    if (isOpen === edition.value) return
    if (isOpen) limited.current = { quantity: quantity.value, isNumbered: numbered.value }
    edition.onChange(isOpen)
    quantity.onChange(isOpen ? String(DEFAULT_CAP) : limited.current.quantity)
    numbered.onChange(isOpen || limited.current.isNumbered)
  }
  return (
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
  )
}

function CapField({ control }: { control: Control<CreateDropForm> }) {
  const cap = useWatch({ control, name: 'quantity' })
  const { errors } = useFormState({ control, name: 'quantity' })
  return (
    <>
      <p className="text-sm text-muted">{openTexts.formHint}</p>
      <details open={errors.quantity ? true : undefined}>
        <summary className="min-h-11 cursor-pointer py-3 text-sm text-muted">
          Safety cap: {cap === '' ? 'none' : formatCount(Number(cap))}
        </summary>
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
      </details>
    </>
  )
}
