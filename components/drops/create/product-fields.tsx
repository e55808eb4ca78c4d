'use client'

import type { Control } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { MAX_TITLE } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { SlugField } from './slug-field'

type ProductFieldsProps = { control: Control<CreateDropForm>; hasCustomLink: boolean }

/** Shows the fields for the name, for the custom link if the plan allows one, and for the description. */
export function ProductFields({ control, hasCustomLink }: ProductFieldsProps) {
  return (
    <>
      <LabeledField control={control} name="title" id="title" label="Product Name">
        {(field) => (
          <Input {...field} maxLength={MAX_TITLE} autoComplete="off" enterKeyHint="next" placeholder="What is it?" />
        )}
      </LabeledField>
      {hasCustomLink ? <SlugField control={control} /> : null}
      <LabeledField control={control} name="description" id="description" label="Description">
        {(field) => <Textarea {...field} rows={4} placeholder="What makes it special?" />}
      </LabeledField>
    </>
  )
}
