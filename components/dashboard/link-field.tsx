import type { Control } from 'react-hook-form'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import type { EditDropForm, EditedDrop } from '@/lib/drops/schema'

type LinkFieldProps = {
  control: Control<EditDropForm, unknown, EditedDrop>
  dropId: number
  /** Whether the drop already has a file or a link that its buyers get. */
  hasFile: boolean
}

/** Shows the link that buyers of a digital drop get. It may be replaced at any time. */
export function LinkField({ control, dropId, hasFile }: LinkFieldProps) {
  return (
    <LabeledField
      control={control}
      name="digitalFileUrl"
      id={`edit-link-${dropId}`}
      label="Link for buyers"
      hint={
        hasFile
          ? 'A new link replaces what every buyer gets, including buyers who already paid. Leave this empty to keep what they get now.'
          : 'Buyers get the link after they pay.'
      }
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
