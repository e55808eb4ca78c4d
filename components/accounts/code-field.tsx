import type { FieldPath, FieldValues } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField, type LabeledFieldProps } from '@/components/ui/labeled-field'

type CodeFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Output> = Pick<
  LabeledFieldProps<Values, Name, Output>,
  'control' | 'name' | 'id'
> & { label?: string }

/**
 * Shows the field for a second-factor code: six digits of the authenticator app, which a phone's keyboard may suggest,
 * or a recovery code.
 */
export function CodeField<Values extends FieldValues, Name extends FieldPath<Values>, Output>({
  label = 'Code',
  ...props
}: CodeFieldProps<Values, Name, Output>) {
  return (
    <LabeledField label={label} {...props}>
      {(field) => (
        <Input
          {...field}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={40}
          className="tabular text-lg tracking-widest"
        />
      )}
    </LabeledField>
  )
}
