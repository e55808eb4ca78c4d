import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { cn } from '@/components/ui/class-names'
import type { Plan } from '@/lib/kernel/plan'
import { planFeatures, planLabel, planPriceText } from '@/lib/plans/rules'

/**
 * Shows what one plan includes (docs/product.md#what-each-plan-holds). `children` is the button that chooses the plan.
 */
export function PlanCard({ plan, children }: { plan: Plan; children: ReactNode }) {
  return (
    <Card className={cn('grid gap-4 p-6', plan === 'pro' && 'border-ink')}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-2xl font-bold whitespace-nowrap">{planLabel[plan]}</h2>
        <p className="tabular text-sm text-muted">{planPriceText[plan]}</p>
      </div>
      <ul className="grid gap-2">
        {planFeatures[plan].map((feature) => (
          <li key={feature} className="flex items-start gap-2">
            <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
            {feature}
          </li>
        ))}
      </ul>
      {children}
    </Card>
  )
}
