'use client'

import { type Control, Controller } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { DURATIONS } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { Choice } from './choice'

const durationHint = { 24: '1 day', 48: '2 days', 72: '3 days' } as const

export function DurationChoice({ control }: { control: Control<CreateDropForm> }) {
  return (
    <Controller
      control={control}
      name="duration"
      render={({ field }) => (
        <FieldSet>
          <FieldLegend variant="label">Duration</FieldLegend>
          <div className="grid grid-cols-3 gap-2">
            {DURATIONS.map((hours) => (
              <Choice
                key={hours}
                name="duration"
                value={String(hours)}
                label={`${hours}h`}
                hint={durationHint[hours]}
                isChecked={field.value === hours}
                onSelect={() => field.onChange(hours)}
              />
            ))}
          </div>
        </FieldSet>
      )}
    />
  )
}
