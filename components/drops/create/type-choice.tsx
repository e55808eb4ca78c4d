'use client'

import Link from 'next/link'
import { type Control, Controller } from 'react-hook-form'
import { FieldLegend, FieldSet } from '@/components/ui/field'
import { planHint } from '@/lib/drops/messages'
import type { CreateDropForm } from '@/lib/drops/schema'
import { productTypeLabels, productTypes as allTypes } from '@/lib/kernel/product-type'
import type { PlanRules } from '@/lib/plans/rules'
import { Choice } from './choice'

type TypeChoiceProps = { control: Control<CreateDropForm>; productTypes: PlanRules['productTypes'] }

export function TypeChoice({ control, productTypes }: TypeChoiceProps) {
  return (
    <Controller
      control={control}
      name="productType"
      // Only a digital drop needs a file, a link or keys. A missing one is reported at the file or the link, so after
      // the first submit a change of type checks both fields again.
      rules={{ deps: ['digitalFile', 'digitalFileUrl'] }}
      render={({ field }) => (
        <FieldSet className="grid gap-2">
          <FieldLegend variant="label">Product Type</FieldLegend>
          <div className="grid grid-cols-3 gap-2">
            {allTypes.map((type) => (
              <Choice
                key={type}
                name="productType"
                value={type}
                label={productTypeLabels[type]}
                isDisabled={!productTypes.includes(type)}
                describedBy={productTypes.includes(type) ? undefined : `${type}-plan`}
                isChecked={field.value === type}
                onSelect={() => field.onChange(type)}
                // Opens the upgrade dialog, as the link below does.
                onDisabledTap={() => window.dispatchEvent(new Event('show-upgrade-modal'))}
              />
            ))}
          </div>
          {(['digital', 'service'] as const)
            .filter((type) => !productTypes.includes(type))
            .map((type) => (
              <p key={type} id={`${type}-plan`} className="text-xs text-muted">
                {planHint(type)}
              </p>
            ))}
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
