import { DAY_MS } from '@/lib/kernel/time'
import type { BillingPeriod } from '@/lib/plans/rules'

/** How long after the first payment a seller can take the money back (docs/product.md#how-pro-ends). */
const GRACE_DAYS = 7
const MONEY_BACK_DAYS = 14

export type SubscriptionState = 'active' | 'pastDue' | 'canceled'

/** What of a Stripe subscription decides about the plan. Times are unix seconds. */
type StripeFacts = {
  id: string
  status: string
  created: number
  items: { data: { current_period_start: number }[] }
}

/** Stripe's many states, as the three that matter here; null for one that was never paid. */
export function toState(status: string): SubscriptionState | null {
  if (status === 'active' || status === 'trialing') return 'active'
  if (status === 'past_due' || status === 'unpaid') return 'pastDue'
  return status === 'canceled' ? 'canceled' : null
}

/** A failed renewal keeps Pro for a week from the start of the period that was not paid. */
export function graceUntil(periodStart: Date): Date {
  return new Date(periodStart.getTime() + GRACE_DAYS * DAY_MS)
}

/** Whether a subscription gives Pro now. */
export function isEntitled(state: SubscriptionState, grace: Date | null, now: Date): boolean {
  if (state === 'active') return true
  return state === 'pastDue' && grace !== null && grace > now
}

/** Until when the money of the first payment comes back by one tap. */
export function moneyBackUntil(firstPaidAt: Date): Date {
  return new Date(firstPaidAt.getTime() + MONEY_BACK_DAYS * DAY_MS)
}

export function canHaveMoneyBack(
  subscription: { firstPaidAt: Date | null; moneyBackAt: Date | null; status: SubscriptionState },
  now: Date,
): boolean {
  const { firstPaidAt, moneyBackAt, status } = subscription
  return status !== 'canceled' && moneyBackAt === null && firstPaidAt !== null && moneyBackUntil(firstPaidAt) > now
}

/**
 * Which of a customer's subscriptions counts: the oldest that lives, else the one that ended last. Others that live are
 * too many: two taps, two tabs, and each was paid.
 */
export function chooseSubscription<T extends StripeFacts>(all: readonly T[]): { main: T | null; extra: T[] } {
  // Stripe lists the newest first; times are whole seconds, so among equals its order decides.
  const known = all
    .filter(({ status }) => toState(status) !== null)
    .reverse()
    .sort((a, b) => a.created - b.created)
  const [oldest, ...extra] = known.filter(({ status }) => status !== 'canceled')
  return oldest ? { main: oldest, extra } : { main: known.at(-1) ?? null, extra: [] }
}

export function toBillingPeriod(interval: string | undefined): BillingPeriod {
  return interval === 'year' ? 'yearly' : 'monthly'
}
