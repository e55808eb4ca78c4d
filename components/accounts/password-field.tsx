'use client'

import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField, type LabeledFieldProps } from '@/components/ui/labeled-field'

type PasswordFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Output> = Pick<
  LabeledFieldProps<Values, Name, Output>,
  'control' | 'name' | 'id' | 'hint'
> &
  Pick<ComponentProps<'input'>, 'autoComplete' | 'enterKeyHint'> & { label?: string }

export function PasswordField<Values extends FieldValues, Name extends FieldPath<Values>, Output>({
  label = 'Password',
  autoComplete,
  enterKeyHint,
  ...props
}: PasswordFieldProps<Values, Name, Output>) {
  return (
    <LabeledField label={label} {...props}>
      {(field) => <PasswordInput {...field} autoComplete={autoComplete} enterKeyHint={enterKeyHint} />}
    </LabeledField>
  )
}

function PasswordInput(props: ComponentProps<typeof Input>) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input
        type={isShown ? 'text' : 'password'}
        required
        autoCapitalize="none"
        spellCheck={false}
        className="pe-13"
        {...props}
      />
      <button
        type="button"
        onClick={() => setIsShown(!isShown)}
        aria-label={isShown ? 'Hide password' : 'Show password'}
        className="absolute inset-y-0 end-0 grid w-12 place-items-center rounded-control text-muted hover:text-ink"
      >
        <Icon aria-hidden className="size-5" />
      </button>
    </div>
  )
}
