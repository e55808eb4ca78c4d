'use client'

import { Check, CircleAlert, LoaderCircle } from 'lucide-react'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { cleanSlug, MAX_SLUG } from '@/lib/drops/rules'
import { type SlugState, useSlugCheck } from './use-slug-check'

type SlugFieldProps = { value: string; onChange: (slug: string) => void; error?: string | undefined }

/** The custom link of a Pro seller. It shows whether the link is free while it is typed. */
export function SlugField({ value, onChange, error }: SlugFieldProps) {
  const state = useSlugCheck(value)
  return (
    <Field id="customSlug" label="Custom Link" optional error={error} hint={<SlugHint state={state} />}>
      <div className="relative">
        <span aria-hidden className="absolute inset-y-0 left-3.5 grid place-items-center text-muted">
          /drop/
        </span>
        <Input
          id="customSlug"
          name="customSlug"
          value={value}
          onChange={(event) => onChange(cleanSlug(event.target.value))}
          maxLength={MAX_SLUG}
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="off"
          enterKeyHint="next"
          placeholder="my-drop"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy('customSlug', { hint: true, error: Boolean(error) })}
          className="pl-[3.9rem]"
        />
      </div>
    </Field>
  )
}

const marks = {
  available: [Check, 'text-good'],
  unavailable: [CircleAlert, 'text-bad'],
  unknown: [CircleAlert, 'text-warn'],
} as const

function SlugHint({ state }: { state: SlugState }) {
  if (state.kind === 'idle') return <p>Leave it empty for an automatic one.</p>
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
