'use client'

import { type Control, useFormState, useWatch } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { openOptionTexts } from '@/lib/drops/options/option-messages'
import { MAX_OPTION_NAME, readNames, readValues, sumOfUnits, writeValues } from '@/lib/drops/options/option-rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { formatCount } from '@/lib/kernel/format-count'
import { cutText } from '@/lib/kernel/text'
import { FormFold } from './form-fold'

/**
 * Shows the fields for sizes, colors or other choices, collapsed because few drops have choices. One field names what
 * buyers choose, and the other contains all values with their units (docs/product.md#options). The choices of an
 * open edition have no units.
 */
export function OptionFields({ control }: { control: Control<CreateDropForm> }) {
  const [options, isOpenEdition] = useWatch({ control, name: ['options', 'isOpenEdition'] })
  const { errors } = useFormState({ control, name: ['optionName', 'options'] })
  const hasProblem = Boolean(errors.optionName ?? errors.options)
  return (
    <FormFold line={`Sizes, colors or other choices: ${summaryOf(options, isOpenEdition)}`} hasProblem={hasProblem}>
      <LabeledField control={control} name="optionName" id="optionName" label="What buyers choose">
        {(field) => (
          <Input {...field} maxLength={MAX_OPTION_NAME} autoComplete="off" enterKeyHint="next" placeholder="Size" />
        )}
      </LabeledField>
      <LabeledField
        control={control}
        name="options"
        id="options"
        label={isOpenEdition ? openOptionTexts.label : 'Choices with their units'}
        hint={
          isOpenEdition ? openOptionTexts.hint : 'Up to 12, all at the same price. Write each with how many you have.'
        }
      >
        {(field) => (
          <Input
            {...field}
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="next"
            placeholder={isOpenEdition ? openOptionTexts.example : 'S 5, M 10, L 5'}
          />
        )}
      </LabeledField>
    </FormFold>
  )
}

/** Returns a summary of the typed choices, such as "3, with 20 units", or "S, M, L" for an open edition. */
function summaryOf(typed: string, isOpenEdition: boolean): string {
  if (typed.trim() === '') return 'none'
  if (isOpenEdition) {
    const named = readNames(typed)
    return 'problem' in named ? 'not ready yet' : cutText(writeValues(named.values), 40)
  }
  const read = readValues(typed, { least: 1 })
  if ('problem' in read) return 'not ready yet'
  const units = sumOfUnits(read.values)
  return `${read.values.length}, with ${formatCount(units)} ${units === 1 ? 'unit' : 'units'}`
}
