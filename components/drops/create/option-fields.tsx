'use client'

import { type Control, useFormState, useWatch } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { MAX_OPTION_NAME, readValues, sumOfUnits } from '@/lib/drops/option-rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { formatCount } from '@/lib/kernel/format-count'
import { FormFold } from './form-fold'

/**
 * Shows the fields for sizes, colors or other choices, collapsed because few drops have choices. One field names what
 * buyers choose, and the other contains all values with their units (docs/product.md#options). An open edition has no
 * choices.
 */
export function OptionFields({ control }: { control: Control<CreateDropForm> }) {
  const [options, isOpenEdition] = useWatch({ control, name: ['options', 'isOpenEdition'] })
  const { errors } = useFormState({ control, name: ['optionName', 'options'] })
  const hasProblem = Boolean(errors.optionName ?? errors.options)
  if (isOpenEdition) return null
  return (
    <FormFold line={`Sizes, colors or other choices: ${summaryOf(options)}`} hasProblem={hasProblem}>
      <LabeledField control={control} name="optionName" id="optionName" label="What buyers choose">
        {(field) => (
          <Input {...field} maxLength={MAX_OPTION_NAME} autoComplete="off" enterKeyHint="next" placeholder="Size" />
        )}
      </LabeledField>
      <LabeledField
        control={control}
        name="options"
        id="options"
        label="Choices with their units"
        hint="Up to 12, all at the same price. Write each with how many you have."
      >
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="next"
            placeholder="S 5, M 10, L 5"
          />
        )}
      </LabeledField>
    </FormFold>
  )
}

/** Returns a summary of the typed choices, such as "3, with 20 units". */
function summaryOf(typed: string): string {
  if (typed.trim() === '') return 'none'
  const read = readValues(typed, { least: 1 })
  if ('problem' in read) return 'not ready yet'
  const units = sumOfUnits(read.values)
  return `${read.values.length}, with ${formatCount(units)} ${units === 1 ? 'unit' : 'units'}`
}
