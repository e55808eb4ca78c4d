'use client'

import { type Control, Controller, useFormState, useWatch } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import type { CreateDropForm } from '@/lib/drops/schema'
import { startLine } from '@/lib/drops/start/start-messages'
import { MAX_DAYS_AHEAD } from '@/lib/drops/start/start-rules'
import { StartAnswers } from '../start-answers'
import { StartHint } from '../start-hint'
import { Choice } from './choice'
import { EarlyChoice } from './early-choice'
import { FormFold } from './form-fold'

const choices = [
  { value: 'now', label: 'Now', hint: 'Live right away' },
  { value: 'later', label: 'Later', hint: `Up to ${MAX_DAYS_AHEAD} days ahead` },
] as const

type StartChoiceProps = { control: Control<CreateDropForm>; timezone: string; followers: number }

/**
 * Asks when the drop starts: now, or at a time that the seller types (docs/product.md#scheduled-start). Most drops
 * start now, so the choice is folded.
 */
export function StartChoice({ control, timezone, followers }: StartChoiceProps) {
  const [start, startsAt] = useWatch({ control, name: ['start', 'startsAt'] })
  const { errors } = useFormState({ control, name: ['start', 'startsAt', 'earlyMinutes', 'earlyUnits'] })
  const hasProblem = Boolean(errors.start ?? errors.startsAt ?? errors.earlyMinutes ?? errors.earlyUnits)
  return (
    <FormFold line={startLine(start === 'later' ? startsAt : null, timezone)} hasProblem={hasProblem}>
      <Controller
        control={control}
        name="start"
        render={({ field }) => (
          <FieldSet>
            <FieldLegend variant="label">Start</FieldLegend>
            <div className="grid grid-cols-2 gap-2">
              {choices.map((choice) => (
                <Choice
                  key={choice.value}
                  name="start"
                  {...choice}
                  isChecked={field.value === choice.value}
                  onSelect={() => field.onChange(choice.value)}
                />
              ))}
            </div>
          </FieldSet>
        )}
      />
      {start === 'later' ? (
        <LabeledField
          control={control}
          name="startsAt"
          id="startsAt"
          label="Starts at"
          hint={<StartHint typed={startsAt} timezone={timezone} />}
        >
          {(field) => <Input {...field} type="datetime-local" className="tabular" />}
        </LabeledField>
      ) : null}
      {start === 'later' ? <StartAnswers /> : null}
      {start === 'later' ? <EarlyChoice control={control} followers={followers} /> : null}
    </FormFold>
  )
}
