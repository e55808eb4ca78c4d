'use client'

import Link from 'next/link'
import { type Control, Controller } from 'react-hook-form'
import { cn } from '@/components/ui/class-names'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { planHint } from '@/lib/drops/messages'
import type { CreateDropForm } from '@/lib/drops/schema'
import type { PlanRules } from '@/lib/plans/rules'
import { Choice } from './choice'

const typeLabels = { physical: 'Physical', digital: 'Digital', service: 'Service' } as const

type TypeChoiceProps = { control: Control<CreateDropForm>; productTypes: PlanRules['productTypes'] }

export function TypeChoice({ control, productTypes }: TypeChoiceProps) {
  return (
    <Controller
      control={control}
      name="productType"
      // Only a digital drop needs a file or a link, so a new choice of the type checks both fields again.
      rules={{ deps: ['digitalFile', 'digitalFileUrl'] }}
      render={({ field }) => (
        <FieldSet className="grid gap-2">
          <FieldLegend variant="label">Product Type</FieldLegend>
          <div className={cn('grid gap-2 md:grid-cols-3', productTypes.length === 3 && 'grid-cols-3')}>
            {(['physical', 'digital', 'service'] as const).map((type) => (
              <Choice
                key={type}
                name="productType"
                value={type}
                label={typeLabels[type]}
                hint={productTypes.includes(type) ? undefined : planHint(type)}
                isDisabled={!productTypes.includes(type)}
                isChecked={field.value === type}
                onSelect={() => field.onChange(type)}
              />
            ))}
          </div>
          {productTypes.length < 3 ? (
            <Link
              href="/?upgrade=true"
              className="inline-flex min-h-11 items-center justify-self-start text-sm font-semibold underline underline-offset-4"
            >
              Upgrade to Pro to sell digital products and services
            </Link>
          ) : null}
        </FieldSet>
      )}
    />
  )
}
