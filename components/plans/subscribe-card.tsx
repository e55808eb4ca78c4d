'use client'

import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type BillingPeriod, planFeatures, planLabel } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import { PeriodChoice } from './period-choice'
import { useUpgrade } from './use-upgrade'

const PHASES = { idle: 'Subscribe', processing: 'Processing...', redirecting: 'Redirecting…' } as const

/** The card of the Pro plan on /subscribe. */
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
