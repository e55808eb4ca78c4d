import { describedBy, Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { MAX_PER_BUYER } from '@/lib/drops/rules'

type BuyerLimitProps = { id: string; value: string; onChange: (value: string) => void }

/** The seller's limit per buyer, folded away because few need it (docs/product.md#limit-per-buyer). */
export function BuyerLimit({ id, value, onChange }: BuyerLimitProps) {
  return (
    <details>
      <summary className="min-h-11 cursor-pointer py-3 text-sm text-muted">
        Limit per buyer: {value === '' ? 'none' : value}
      </summary>
      <Field id={id} label="At most per buyer" hint="Counted by mailbox and card. What is above is refunded in full.">
        <Select
          id={id}
          name="maxPerBuyer"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          aria-describedby={describedBy(id, { hint: true })}
        >
          <option value="">No limit</option>
          {Array.from({ length: MAX_PER_BUYER }, (_, position) => (
            <option key={position} value={position + 1}>
              {position + 1}
            </option>
          ))}
        </Select>
      </Field>
    </details>
  )
}
