'use client'

import { type Control, useWatch } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { earlyTexts } from '@/lib/drops/start/early-messages'
import { proposedEarlyUnits } from '@/lib/drops/start/early-rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { followerCountText } from '@/lib/followers/messages'
import { EarlyOptions } from '../early-options'

type EarlyChoiceProps = { control: Control<CreateDropForm>; followers: number }

/** Lets followers buy a scheduled drop before everyone else (docs/product.md#early-access). */
export function EarlyChoice({ control, followers }: EarlyChoiceProps) {
  const [minutes, quantity, options, keys, isOpenEdition] = useWatch({
    control,
    name: ['earlyMinutes', 'quantity', 'options', 'keys', 'isOpenEdition'],
  })
  // The units of a drop with options or keys are counted when the drop is published.
  const isCounted = options.trim() === '' && keys.trim() === '' && /^\d{1,7}$/.test(quantity.trim())
  // An open edition has a unit for everyone, so nobody needs to be first.
  if (isOpenEdition) return null
  return (
    <div className="grid gap-3">
      <LabeledField
        control={control}
        name="earlyMinutes"
        id="earlyMinutes"
        label={earlyTexts.label}
        hint={followers === 0 ? earlyTexts.nobody : `${followerCountText(followers)}. ${earlyTexts.hint}`}
      >
        {(field) => (
          <NativeSelect {...field}>
            <EarlyOptions />
          </NativeSelect>
        )}
      </LabeledField>
      {minutes === '' ? null : (
        <LabeledField
          control={control}
          name="earlyUnits"
          id="earlyUnits"
          label={earlyTexts.unitsLabel}
          hint={earlyTexts.unitsHint}
        >
          {(field) => (
            <Input
              {...field}
              inputMode="numeric"
              autoComplete="off"
              placeholder={isCounted ? String(proposedEarlyUnits(Number(quantity))) : earlyTexts.half}
            />
          )}
        </LabeledField>
      )}
    </div>
  )
}
