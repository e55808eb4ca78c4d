import { Check } from 'lucide-react'
import { cn } from '@/components/ui/class-names'
import { planFeatures, planLabel } from '@/lib/plans/rules'

/** Shows side by side what each plan includes (docs/product.md#what-each-plan-holds). */
export function PlanComparison() {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {(['pro', 'free'] as const).map((plan) => (
        <section
          key={plan}
          aria-label={planLabel[plan]}
          className={cn('grid content-start gap-2 rounded-card border p-4', plan === 'pro' && 'border-ink')}
        >
          <h3 className="text-lg font-bold">{planLabel[plan]}</h3>
          <ul className="grid gap-1.5">
            {planFeatures[plan].map((feature) => (
              <li key={feature} className="flex gap-2 text-sm">
                <Check
                  aria-hidden
                  className={cn('mt-0.5 size-4 shrink-0', plan === 'pro' ? 'text-good' : 'text-muted')}
                />
                {feature}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
