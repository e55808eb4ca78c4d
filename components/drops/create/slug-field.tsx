'use client'

import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import { type Control, useWatch } from 'react-hook-form'
import { LabeledField } from '@/components/ui/labeled-field'
import { PrefixedInput } from '@/components/ui/prefixed-input'
import { type SlugState, useSlugCheck } from './use-slug-check'
import { cleanSlug, MAX_SLUG } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'

/** Shows the field for the custom link of a Pro seller, and says whether the typed link is available. */
export function SlugField({ control }: { control: Control<CreateDropForm> }) {
  const state = useSlugCheck(useWatch({ control, name: 'customSlug' }))
  return (
    <LabeledField
      control={control}
      name="customSlug"
      id="customSlug"
      label="Custom Link"
      optional
      hint={<SlugHint state={state} />}
    >
      {(field) => (
        <PrefixedInput
          {...field}
          prefix="/drop/"
          onChange={(event) => field.onChange(cleanSlug(event.target.value))}
          maxLength={MAX_SLUG}
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
          enterKeyHint="next"
          placeholder="my-drop"
          className="ps-[3.9rem]"
        />
      )}
    </LabeledField>
  )
}

const marks = {
  available: [Check, 'text-good'],
  unavailable: [CircleAlert, 'text-bad'],
  unknown: [CircleAlert, 'text-warn'],
} as const

function SlugHint({ state }: { state: SlugState }) {
  if (state.kind === 'idle') return <p>Leave empty for an automatic link.</p>
  if (state.kind === 'checking') {
    return (
      <p className="flex items-center gap-1.5" aria-live="polite">
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
        Checking…
      </p>
    )
  }
  const [Mark, tone] = marks[state.kind]
  return (
    <p className={`flex items-start gap-1.5 font-medium ${tone}`} aria-live="polite">
      <Mark aria-hidden className="mt-0.5 size-4 shrink-0" />
      {state.message}
    </p>
  )
}
