'use client'

import { type Control, useWatch } from 'react-hook-form'
import { EarlyOptions } from '@/components/drops/early-options'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { earlyTexts } from '@/lib/drops/start/early-messages'
import type { EditDropForm } from '@/lib/drops/edit-schema'
import type { EditDropFields } from '@/lib/drops/schema'

type EarlyFieldsProps = {
  control: Control<EditDropForm, unknown, EditDropFields & { images: File[] }>
  dropId: number
}

/**
 * Shows the fields for early access, which can be edited and turned off until it opens (docs/product.md#early-access).
 */
export function EarlyFields({ control, dropId }: EarlyFieldsProps) {
  const minutes = useWatch({ control, name: 'earlyMinutes' })
  return (
    <>
      <LabeledField
        control={control}
        name="earlyMinutes"
        id={`edit-early-${dropId}`}
        label={earlyTexts.label}
        hint={earlyTexts.hint}
      >
        {({ value, ...field }) => (
          <NativeSelect {...field} value={String(value ?? '')}>
            <EarlyOptions current={String(value ?? '')} />
          </NativeSelect>
        )}
      </LabeledField>
      {minutes ? (
        <LabeledField
          control={control}
          name="earlyUnits"
          id={`edit-early-units-${dropId}`}
          label={earlyTexts.unitsLabel}
          hint={earlyTexts.unitsHint}
        >
          {({ value, ...field }) => (
            <Input {...field} value={String(value ?? '')} inputMode="numeric" autoComplete="off" />
          )}
        </LabeledField>
      ) : null}
    </>
  )
}
