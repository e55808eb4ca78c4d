'use client'

import { type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import { LabeledField, type LabeledFieldProps } from '@/components/ui/labeled-field'
import { Textarea } from '@/components/ui/textarea'
import { countedText } from '@/lib/drops/keys/key-messages'
import { readKeys } from '@/lib/drops/keys/key-rules'

type KeyFieldProps<Values extends FieldValues, Name extends FieldPath<Values>, Output> = Omit<
  LabeledFieldProps<Values, Name, Output>,
  'children'
>

/** Asks for a list with one key per line, and counts the keys while they are typed or pasted. */
export function KeyField<Values extends FieldValues, Name extends FieldPath<Values>, Output>({
  hint,
  ...props
}: KeyFieldProps<Values, Name, Output>) {
  const typed: unknown = useWatch({ control: props.control, name: props.name })
  return (
    <LabeledField
      {...props}
      hint={
        <>
          <span className="tabular block font-semibold text-ink">{stateOf(textOf(typed))}</span>
          {hint}
        </>
      }
    >
      {({ value, ...field }) => (
        <Textarea
          {...field}
          value={textOf(value)}
          rows={4}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          wrap="off"
          placeholder={'AAAA-1111-BBBB\nCCCC-2222-DDDD'}
          className="max-h-72 font-mono"
        />
      )}
    </LabeledField>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Says how many keys the list has, or what is wrong with it. */
function stateOf(typed: string): string {
  const read = readKeys(typed)
  return 'keys' in read ? countedText(read.keys.length) : read.problem
}
