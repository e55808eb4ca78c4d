'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LoadingBlock } from '@/components/ui/loading-block'
import { callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { useSettling } from '@/lib/client/use-settling'
import { formatDay } from '@/lib/kernel/time'
import { planLabel } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import type { PlanView } from '@/lib/subscriptions/view'
import type { PlanChange } from './plan-change'
import { SwitchPeriod } from './switch-period'

const QUERY = ['api', 'subscription']

function statusLine({ subscription }: PlanView, timezone: string): string {
  const day = (iso: string) => formatDay(new Date(iso), timezone)
  if (!subscription) return ''
  const { state, graceUntil, endsOn, renewsOn, billingPeriod } = subscription
  if (state === 'pastDue') {
    return graceUntil
      ? `Your last payment failed. Update your card by ${day(graceUntil)} to keep Pro.`
      : 'Your last payment failed. Please update your card.'
  }
  if (endsOn)
    return `Pro ends on ${day(endsOn)}. Live drops stay live until they end, and scheduled drops start as planned, at the free plan's fee.`
  return `Billed ${billingPeriod}. Renews on ${day(renewsOn)}.`
}

/**
 * The plan section of the settings. It shows the seller's plan and when it renews, and lets the seller change or cancel
 * it. Days are in the seller's time zone. The section loads its own data.
 */
export function PlanSection({ timezone }: { timezone: string }) {
  const { plan, isError, isBusy, ...rest } = usePlan()
  if (isError) return <p className="text-sm text-muted">We couldn&apos;t load your plan. Please reload the page.</p>
  if (!plan) return <LoadingBlock text="Loading your plan…" className="h-28" />
  const { subscription } = plan
  return (
    <section aria-labelledby="plan-heading" className="grid gap-3" aria-busy={isBusy}>
      <div className="flex items-center justify-between gap-3">
        <h3 id="plan-heading" className="text-lg font-bold">
          Plan
        </h3>
        <Badge variant={plan.plan === 'pro' ? 'default' : 'secondary'}>{planLabel[plan.plan]}</Badge>
      </div>
      {subscription ? (
        <>
          <p className="text-sm text-muted">{statusLine(plan, timezone)}</p>
          <SubscriptionButtons subscription={subscription} timezone={timezone} {...rest} />
        </>
      ) : null}
      {subscription?.moneyBackUntil ? (
        <MoneyBack until={formatDay(new Date(subscription.moneyBackUntil), timezone)} {...rest} />
      ) : null}
      {plan.plan === 'free' ? (
        <Button className="justify-self-start" onClick={() => window.dispatchEvent(new Event('show-upgrade-modal'))}>
          Upgrade to Pro
        </Button>
      ) : null}
    </section>
  )
}

/** Returns the plan as the server last reported it, and a function that changes it. A toast shows the result. */
function usePlan() {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [isBusy, setIsBusy] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const { data: plan, isError } = useQuery({
    queryKey: QUERY,
    queryFn: () => callApi<PlanView>('GET', '/api/subscription'),
    staleTime: 0,
  })

  const { state, endsAtPeriodEnd, billingPeriod } = plan?.subscription ?? {}
  const isSettling = useSettling([isConfirming, state, endsAtPeriodEnd, billingPeriod].join())

  const change: PlanChange['change'] = async (path, body, done) => {
    setIsBusy(true)
    try {
      queryClient.setQueryData(QUERY, await callApi<PlanView>('POST', `/api/subscription/${path}`, body))
      toast(done)
      router.refresh()
    } catch (error) {
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    } finally {
      setIsBusy(false)
      setIsConfirming(false)
    }
  }

  return { plan, isError, isBusy, isWaiting: isBusy || isSettling, isConfirming, setIsConfirming, change }
}

type SubscriptionButtonsProps = PlanChange & { subscription: NonNullable<PlanView['subscription']>; timezone: string }

function SubscriptionButtons({ subscription, timezone, isWaiting, change }: SubscriptionButtonsProps) {
  const { state, endsAtPeriodEnd, billingPeriod } = subscription
  const isYearly = billingPeriod === 'yearly'
  return (
    <div className="flex flex-wrap gap-2">
      <Button asChild variant="outline" size="sm">
        <a href="/billing">Cards and invoices</a>
      </Button>
      {state === 'active' ? (
        <SwitchPeriod isYearly={isYearly} timezone={timezone} isWaiting={isWaiting} change={change} />
      ) : null}
      {endsAtPeriodEnd ? (
        <Button
          variant="outline"
          size="sm"
          disabled={isWaiting}
          onClick={() => void change('cancel', { isCanceling: false }, subscriptionToasts.resumed)}
        >
          Keep Pro
        </Button>
      ) : (
        <Button
          variant="outline"
          size="sm"
          disabled={isWaiting}
          onClick={() => void change('cancel', { isCanceling: true }, subscriptionToasts.canceled)}
        >
          Cancel plan
        </Button>
      )}
    </div>
  )
}

/** Refunds the whole payment and ends Pro right away. The seller has to confirm this with a second button. */
function MoneyBack({ until, isWaiting, isConfirming, setIsConfirming, change }: PlanChange & { until: string }) {
  return (
    <div className="grid gap-2 rounded-card border p-3">
      <p className="text-sm">Not for you? Full refund available until {until}.</p>
      {isConfirming ? (
        <div className="flex flex-wrap gap-2">
          <ConfirmText />
          <Button
            size="sm"
            disabled={isWaiting}
            onClick={() => void change('money-back', undefined, subscriptionToasts.moneyBack)}
          >
            Cancel and refund
          </Button>
          <Button variant="outline" size="sm" disabled={isWaiting} onClick={() => setIsConfirming(false)}>
            Keep Pro
          </Button>
        </div>
      ) : (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start"
          disabled={isWaiting}
          onClick={() => setIsConfirming(true)}
        >
          Cancel and refund
        </Button>
      )}
    </div>
  )
}

/** Says what the second press does. The text takes the focus, which the first button loses. */
function ConfirmText() {
  const ref = useRef<HTMLParagraphElement>(null)
  useEffect(() => ref.current?.focus(), [])
  return (
    <p ref={ref} tabIndex={-1} className="w-full text-sm font-medium">
      Pro ends right away, and we refund your full payment.
    </p>
  )
}
