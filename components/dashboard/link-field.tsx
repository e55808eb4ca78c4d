import type { Control } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import type { EditDropForm, EditedDrop } from '@/lib/drops/edit-schema'

type LinkFieldProps = {
  control: Control<EditDropForm, unknown, EditedDrop>
  dropId: number
  /** What buyers get now. */
  current: keyof typeof hints
}

const hints = {
  link: 'A new link replaces what every buyer gets, including buyers who already paid. Leave this empty to keep what they get now.',
  file: 'A link replaces the file. Leave this empty to keep the file.',
  nothing: 'Buyers get the link after they pay.',
} as const

/** Shows the link that buyers of a digital drop get. It may be replaced at any time. */
export function LinkField({ control, dropId, current }: LinkFieldProps) {
  return (
    <LabeledField
      control={control}
      name="digitalFileUrl"
      id={`edit-link-${dropId}`}
      label="Link for buyers"
      hint={hints[current]}
    >
      {({ value, ...field }) => (
        <Input
          {...field}
          value={String(value ?? '')}
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
        />
      )}
    </LabeledField>
  )
}
