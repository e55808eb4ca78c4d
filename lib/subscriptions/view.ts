import type { Subscription } from '@prisma/client'
import type { Plan } from '@/lib/kernel/plan'
import type { BillingPeriod } from '@/lib/plans/rules'
import { canHaveMoneyBack, moneyBackUntil, type SubscriptionState } from './rules'

/** A seller's own plan. */
export type PlanView = {
  plan: Plan
  /** Null without a running subscription: a free plan, or Pro given by an administrator. */
  subscription: {
    state: SubscriptionState
    billingPeriod: BillingPeriod
    renewsOn: string
    endsAtPeriodEnd: boolean
    /** When a canceled plan ends; null when it renews. */
    endsOn: string | null
    graceUntil: string | null
    /** The time until which the seller can get the money back with one tap; null when that is no longer possible. */
    moneyBackUntil: string | null
  } | null
}

/** What a switch of the billing period costs, as Stripe's preview says. */
export type SwitchView = {
  /** The amount that is charged to the card right away. */
  todayCents: number
  /** The credit that is left after the switch. It pays the next bills. */
  creditCents: number
  renewsOn: string
}

/**
 * Makes the view of a seller's plan. A canceled subscription is not shown, because the seller can only start a new one.
 */
export function toPlanView(plan: Plan, row: Subscription | null, now: Date): PlanView {
  if (!row || row.status === 'canceled') return { plan, subscription: null }
  return {
    plan,
    subscription: {
      state: row.status,
      billingPeriod: row.billingPeriod === 'yearly' ? 'yearly' : 'monthly',
      renewsOn: row.currentPeriodEnd.toISOString(),
      endsAtPeriodEnd: row.cancelAtPeriodEnd,
      endsOn: row.cancelAtPeriodEnd ? (row.cancelAt ?? row.currentPeriodEnd).toISOString() : null,
      graceUntil: row.graceUntil?.toISOString() ?? null,
      moneyBackUntil:
        row.firstPaidAt && canHaveMoneyBack(row, now) ? moneyBackUntil(row.firstPaidAt).toISOString() : null,
    },
  }
}
