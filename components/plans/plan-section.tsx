'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'
import { useSettling } from '@/lib/client/use-settling'
import { planLabel } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import type { PlanView } from '@/lib/subscriptions/view'

const QUERY = ['api', 'subscription']

const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' })

function statusLine({ subscription }: PlanView): string {
  if (!subscription) return ''
  const { state, graceUntil, endsOn, renewsOn, billingPeriod } = subscription
  if (state === 'pastDue') {
    return graceUntil
      ? `The last payment failed. Use another card before ${day(graceUntil)} to keep Pro.`
      : 'The last payment failed.'
  }
  if (endsOn) return `Ends on ${day(endsOn)}. Live drops stay live to their end.`
  return `Billed ${billingPeriod}. Renews on ${day(renewsOn)}.`
}

/**
 * The plan section of the settings: the seller's plan, when it renews, and the ways to change or cancel it. It loads
 * its own data.
 */
export function PlanSection() {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const [isSure, setIsSure] = useState(false)
  const { data: plan, isError } = useQuery({
    queryKey: QUERY,
    queryFn: () => callApi<PlanView>('GET', '/api/subscription'),
    staleTime: 0,
  })

  const { state, endsAtPeriodEnd, billingPeriod } = plan?.subscription ?? {}
  const isSettling = useSettling([isSure, state, endsAtPeriodEnd, billingPeriod].join())
  const isWaiting = busy || isSettling

  async function change(path: string, body: unknown, said: { title: string; description: string }): Promise<void> {
    setBusy(true)
    try {
      queryClient.setQueryData(QUERY, await callApi<PlanView>('POST', `/api/subscription/${path}`, body))
      toast(said)
      router.refresh()
    } catch (error) {
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    } finally {
      setBusy(false)
      setIsSure(false)
    }
  }

  if (isError) return <p className="text-sm text-muted">Your plan could not be loaded.</p>
  if (!plan) return <p className="text-sm text-muted">Loading your plan...</p>
  const { subscription } = plan
  return (
    <section aria-labelledby="plan-heading" className="grid gap-3" aria-busy={busy}>
      <div className="flex items-center justify-between gap-3">
        <h3 id="plan-heading" className="text-lg font-bold">
          Plan
        </h3>
        <Badge tone={plan.plan === 'pro' ? 'ink' : 'quiet'}>{planLabel[plan.plan]}</Badge>
      </div>
      {subscription ? <p className="text-sm text-muted">{statusLine(plan)}</p> : null}
      {subscription ? (
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="outline" size="small">
            <a href="/billing">Cards and invoices</a>
          </Button>
          {subscription.state === 'active' ? (
            <Button
              variant="outline"
              size="small"
              disabled={isWaiting}
              onClick={() =>
                void change(
                  'switch',
                  { billingPeriod: subscription.billingPeriod === 'yearly' ? 'monthly' : 'yearly' },
                  subscriptionToasts.switched,
                )
              }
            >
              {subscription.billingPeriod === 'yearly' ? 'Pay monthly' : 'Pay yearly, save 20%'}
            </Button>
          ) : null}
          {subscription.endsAtPeriodEnd ? (
            <Button
              variant="outline"
              size="small"
              disabled={isWaiting}
              onClick={() => void change('cancel', { isCanceling: false }, subscriptionToasts.resumed)}
            >
              Keep Pro
            </Button>
          ) : (
            <Button
              variant="outline"
              size="small"
              disabled={isWaiting}
              onClick={() => void change('cancel', { isCanceling: true }, subscriptionToasts.canceled)}
            >
              Cancel plan
            </Button>
          )}
        </div>
      ) : null}
      {subscription?.moneyBackUntil ? (
        <div className="grid gap-2 rounded-card border p-3">
          <p className="text-sm">Not for you? Until {day(subscription.moneyBackUntil)} you get everything back.</p>
          {isSure ? (
            <div className="flex flex-wrap gap-2">
              <Button
                size="small"
                disabled={isWaiting}
                onClick={() => void change('money-back', undefined, subscriptionToasts.moneyBack)}
              >
                Yes, end Pro now
              </Button>
              <Button variant="outline" size="small" disabled={isWaiting} onClick={() => setIsSure(false)}>
                Keep Pro
              </Button>
            </div>
          ) : (
            <Button variant="outline" size="small" className="justify-self-start" onClick={() => setIsSure(true)}>
              Get my money back
            </Button>
          )}
        </div>
      ) : null}
      {plan.plan === 'free' ? (
        <Button className="justify-self-start" onClick={() => window.dispatchEvent(new Event('show-upgrade-modal'))}>
          Upgrade to Pro
        </Button>
      ) : null}
    </section>
  )
}
