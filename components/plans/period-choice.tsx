import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/class-names'
import { formatUsd } from '@/lib/kernel/money'
import { type BillingPeriod, proPriceCents, yearlySavings } from '@/lib/plans/rules'

const LABELS = { monthly: 'Monthly', yearly: 'Yearly' } as const
const UNITS = { monthly: 'per month', yearly: 'per year' } as const

type PeriodChoiceProps = { value: BillingPeriod; onChange: (period: BillingPeriod) => void; isDisabled?: boolean }

/** Offers the two billing periods. The yearly one says how much it saves (docs/product.md#upgrade-dialog). */
export function PeriodChoice({ value, onChange, isDisabled = false }: PeriodChoiceProps) {
  return (
    <fieldset className="grid grid-cols-2 gap-2" disabled={isDisabled}>
      <legend className="sr-only">Billing period</legend>
      {(['monthly', 'yearly'] as const).map((period) => (
        <label
          key={period}
          className={cn(
            'grid cursor-pointer content-start gap-0.5 rounded-card border-2 px-4 py-3 transition-colors duration-150',
            'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-ember',
            value === period ? 'border-ink' : 'border-line hover:border-control',
            // With forced colors all borders have the same color, so a thick border marks the chosen one.
            value === period && 'forced-colors:border-8 forced-colors:border-[Highlight]',
          )}
        >
          <input
            type="radio"
            name="billingPeriod"
            value={period}
            checked={value === period}
            onChange={() => onChange(period)}
            className="sr-only"
          />
          <span className="font-semibold">{LABELS[period]}</span>
          <span className="tabular text-xl font-bold">{formatUsd(proPriceCents[period]).replace('.00', '')}</span>
          <span className="text-sm text-muted">{UNITS[period]}</span>
          {period === 'yearly' ? (
            <span className="flex flex-wrap gap-1 pt-1">
              <Badge variant="strong">{yearlySavings.percent}</Badge>
              <Badge variant="strong">{yearlySavings.dollars}</Badge>
            </span>
          ) : null}
        </label>
      ))}
    </fieldset>
  )
}
