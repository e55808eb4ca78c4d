import { Button } from '@/components/ui/button'
import { describedBy, Field } from '@/components/ui/field'
import { Textarea } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { prohibitedCategories } from '@/lib/moderation/messages'
import { trustTexts } from '@/lib/trust/messages'
import { MAX_DETAILS } from '@/lib/trust/schema'

/** A plain form: it works without a script. */
export function ReportForm({ identifier, problem }: { identifier: string; problem: string | undefined }) {
  return (
    <form method="post" action={`/api/drop/${identifier}/report`} className="grid gap-5">
      <Field id="category" label="What is wrong?" error={problem}>
        <Select
          id="category"
          name="category"
          required
          defaultValue=""
          aria-describedby={describedBy('category', { error: Boolean(problem) })}
        >
          <option value="" disabled>
            Please choose
          </option>
          {Object.entries(prohibitedCategories).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label.charAt(0).toUpperCase() + label.slice(1)}
            </option>
          ))}
          <option value="other">Something else</option>
        </Select>
      </Field>
      <Field id="details" label={trustTexts.tellMore} optional>
        <Textarea id="details" name="details" maxLength={MAX_DETAILS} />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Send report</Button>
        <Button asChild variant="ghost">
          <a href={`/drop/${identifier}`}>Back to the drop</a>
        </Button>
      </div>
    </form>
  )
}
