import { Field, FieldDescription, FieldLabel } from '@/components/ui/field'
import { Fold } from '@/components/ui/fold'
import { NativeSelect } from '@/components/ui/native-select'
import { MAX_PER_BUYER } from '@/lib/drops/rules'

type BuyerLimitProps = { id: string; value: string; onChange: (value: string) => void }

/** Shows the field for the limit per buyer, collapsed because few sellers need it (docs/product.md#limit-per-buyer). */
export function BuyerLimit({ id, value, onChange }: BuyerLimitProps) {
  return (
    <Fold line={`Limit per buyer: ${value === '' ? 'none' : value}`}>
      <Field>
        <FieldLabel htmlFor={id}>At most per buyer</FieldLabel>
        <NativeSelect
          id={id}
          name="maxPerBuyer"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-describedby={`${id}-hint`}
        >
          <option value="">No limit</option>
          {Array.from({ length: MAX_PER_BUYER }, (_, position) => (
            <option key={position} value={String(position + 1)}>
              {position + 1}
            </option>
          ))}
        </NativeSelect>
        <FieldDescription id={`${id}-hint`}>
          We count orders with the same email address or card together, and refund any order above the limit in full.
        </FieldDescription>
      </Field>
    </Fold>
  )
}
