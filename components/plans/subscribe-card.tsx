'use client'

import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { useUpgrade } from '@/lib/client/use-upgrade'
import type { BillingPeriod } from '@/lib/plans/pricing'
import { planFeatures, planLabel } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import { PeriodChoice } from './period-choice'

const PHASES = { idle: 'Subscribe', processing: 'Processing...', redirecting: 'Redirecting...' } as const

/** The Pro plan card of /subscribe. */
export function SubscribeCard() {
  const [period, setPeriod] = useState<BillingPeriod>('yearly')
  const { phase, upgrade } = useUpgrade(subscriptionToasts.failedToStart)
  return (
    <Card className="grid gap-4 p-5">
      <h2 className="text-2xl font-bold">{planLabel.pro}</h2>
      <PeriodChoice value={period} onChange={setPeriod} isDisabled={phase !== 'idle'} />
      <ul className="grid gap-2">
        {planFeatures.pro.map((feature) => (
          <li key={feature} className="flex gap-2">
            <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
            {feature}
          </li>
        ))}
      </ul>
      <Button size="lg" disabled={phase !== 'idle'} onClick={() => void upgrade(period)}>
        {PHASES[phase]}
      </Button>
    </Card>
  )
}
