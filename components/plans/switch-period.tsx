'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { callApi, failureText } from '@/lib/client/call-api'
import { formatUsd } from '@/lib/kernel/money'
import type { BillingPeriod } from '@/lib/plans/rules'
import { subscriptionTexts, subscriptionToasts, switchTerms } from '@/lib/subscriptions/messages'
import type { SwitchView } from '@/lib/subscriptions/view'
import type { PlanChange } from './plan-change'

/** How long a preview is shown without asking Stripe again. The server compares the amount once more. */
const FRESH_MS = 60_000

type SwitchPeriodProps = Pick<PlanChange, 'isWaiting' | 'change'> & { isYearly: boolean; timezone: string }

/**
 * Changes the billing period. The seller first sees what is charged today and when the plan renews, because the change
 * charges the card. Without Stripe's answer there is no button that confirms.
 */
export function SwitchPeriod({ isYearly, timezone, isWaiting, change }: SwitchPeriodProps) {
  const [isAsking, setIsAsking] = useState(false)
  if (!isAsking) {
    return (
      <Button variant="outline" size="sm" disabled={isWaiting} onClick={() => setIsAsking(true)}>
        {isYearly ? 'Pay monthly' : 'Pay yearly, save 20%'}
      </Button>
    )
  }
  return (
    <ConfirmSwitch
      billingPeriod={isYearly ? 'monthly' : 'yearly'}
      timezone={timezone}
      isWaiting={isWaiting}
      change={change}
      onClose={() => setIsAsking(false)}
    />
  )
}

type ConfirmSwitchProps = Pick<PlanChange, 'isWaiting' | 'change'> & {
  billingPeriod: BillingPeriod
  timezone: string
  onClose: () => void
}

function ConfirmSwitch({ billingPeriod, timezone, isWaiting, change, onClose }: ConfirmSwitchProps) {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['api', 'subscription', 'switch', billingPeriod],
    queryFn: () => callApi<SwitchView>('GET', `/api/subscription/switch?billingPeriod=${billingPeriod}`),
    staleTime: FRESH_MS,
    gcTime: 0,
  })
  const isYearly = billingPeriod === 'yearly'
  return (
    <div role="group" aria-label="Change the billing period" className="grid w-full gap-2 rounded-card border p-3">
      <p className="text-sm" aria-live="polite">
        {isFetching
          ? "Checking what you'd pay today…"
          : error
            ? `${failureText(error)} ${subscriptionTexts.notSwitched}`
            : data
              ? switchTerms(data, billingPeriod, timezone)
              : ''}
      </p>
      <div className="flex flex-wrap gap-2">
        {data && !error && !isFetching ? (
          <Button
            size="sm"
            disabled={isWaiting}
            onClick={() => {
              onClose()
              void change('switch', { billingPeriod, todayCents: data.todayCents }, subscriptionToasts.switched)
            }}
          >
            {data.todayCents > 0 ? `Pay ${formatUsd(data.todayCents)} today` : `Switch to ${billingPeriod}`}
          </Button>
        ) : null}
        {error && !isFetching ? (
          <Button size="sm" onClick={() => void refetch()}>
            Try again
          </Button>
        ) : null}
        <Button variant="outline" size="sm" onClick={onClose}>
          Keep {isYearly ? 'monthly' : 'yearly'}
        </Button>
      </div>
    </div>
  )
}
