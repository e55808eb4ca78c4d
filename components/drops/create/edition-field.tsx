'use client'

import { type Control, Controller, useFormState, useWatch } from 'react-hook-form'
import { SwitchField } from '@/components/ui/switch-field'
import { editionTexts } from '@/lib/drops/edition-messages'
import { openTexts } from '@/lib/drops/open-messages'
import type { CreateDropForm } from '@/lib/drops/schema'

/**
 * Asks whether each unit gets a number. The field is collapsed because few drops need it. It is not shown for services,
 * whose units cannot be numbered.
 */
export function EditionField({ control }: { control: Control<CreateDropForm> }) {
  const [productType, isNumbered, isOpenEdition] = useWatch({
    control,
    name: ['productType', 'isNumbered', 'isOpenEdition'],
  })
  const { errors } = useFormState({ control, name: 'isNumbered' })
  if (productType === 'service') return null
  return (
    <details open={errors.isNumbered ? true : undefined}>
      <summary className="min-h-11 cursor-pointer py-3 text-sm text-muted">
        Edition: {isNumbered ? 'numbered' : 'not numbered'}
      </summary>
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
    </details>
  )
}
