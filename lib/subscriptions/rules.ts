import { DAY_MS, SECOND_MS } from '@/lib/kernel/time'
import type { BillingPeriod } from '@/lib/plans/rules'

/**
 * The grace period after a failed renewal, and how long after the first payment a seller can get the money back, in
 * days (docs/product.md#how-pro-ends).
 */
const GRACE_DAYS = 7
const MONEY_BACK_DAYS = 14

export type SubscriptionState = 'active' | 'pastDue' | 'canceled'

/** The fields of a Stripe subscription that determine the plan. Times are Unix seconds. */
type StripeFacts = {
  id: string
  status: string
  created: number
  items: { data: { current_period_start: number }[] }
  metadata: Record<string, string>
}

/** The metadata at Stripe of a subscription that is being refunded as a duplicate. Customers cannot change it. */
export const DUPLICATE = { duplicate: 'true' }

/**
 * Maps Stripe's many states to the three that matter here. Returns null for every other state, such as the states of a
 * subscription that was never paid.
 */
export function toState(status: string): SubscriptionState | null {
  if (status === 'active' || status === 'trialing') return 'active'
  if (status === 'past_due' || status === 'unpaid') return 'pastDue'
  return status === 'canceled' ? 'canceled' : null
}

/**
 * Returns the end of the grace period. After a failed renewal, Pro continues for a week from the start of the unpaid
 * period.
 */
export function graceUntil(periodStart: Date): Date {
  return new Date(periodStart.getTime() + GRACE_DAYS * DAY_MS)
}

/** Whether a subscription entitles its owner to Pro now. */
export function isEntitled(state: SubscriptionState, grace: Date | null, now: Date): boolean {
  if (state === 'active') return true
  return state === 'pastDue' && grace !== null && grace > now
}

/** Returns the time until which the seller can get the money back. */
export function moneyBackUntil(firstPaidAt: Date): Date {
  return new Date(firstPaidAt.getTime() + MONEY_BACK_DAYS * DAY_MS)
}

/** Whether the seller can still get the payment for Pro back: within 14 days of the first payment, and only once. */
export function canHaveMoneyBack(
  subscription: { firstPaidAt: Date | null; moneyBackAt: Date | null; status: SubscriptionState },
  now: Date,
): boolean {
  const { firstPaidAt, moneyBackAt, status } = subscription
  return status !== 'canceled' && moneyBackAt === null && firstPaidAt !== null && moneyBackUntil(firstPaidAt) > now
}

/** Whether the payments for a subscription are about to be returned, because its seller asked for the money back. */
export function isMoneyOwedFor(
  request: { moneyBackAt: Date | null; moneyBackDoneAt: Date | null },
  { created }: Pick<StripeFacts, 'created'>,
): boolean {
  const { moneyBackAt, moneyBackDoneAt } = request
  return moneyBackAt !== null && moneyBackDoneAt === null && created * SECOND_MS <= moneyBackAt.getTime()
}

type Chosen<T> = { main: T | null; extra: T[]; overdue: T[] }

/**
 * Chooses the subscription that counts: the oldest one that entitles to Pro, or else the oldest one that has not ended,
 * or else the newest one. Subscriptions that were never paid are ignored. Of the others that have not ended, those that
 * entitle to Pro, too, are duplicates from two taps or two tabs, and each was paid (`extra`). The rest are plans whose
 * renewal was not paid within the grace period (`overdue`), after which their seller has bought Pro again. A duplicate
 * whose refund has begun stays one, even if the other plan has ended since. Otherwise Pro would go on for nothing.
 */
export function chooseSubscription<T extends StripeFacts>(all: readonly T[], now: Date): Chosen<T> {
  // Stripe lists the newest subscription first. Times are whole seconds, so Stripe's order decides between equal times.
  const ordered = all
    .filter(({ status }) => toState(status) !== null)
    .reverse()
    .sort((a, b) => a.created - b.created)
  const begun = ordered.filter(isBegunDuplicate)
  const known = ordered.filter((subscription) => !isBegunDuplicate(subscription))
  const running = known.filter(({ status }) => status !== 'canceled')
  const entitled = running.filter((subscription) => isEntitledNow(subscription, now))
  const main = entitled[0] ?? running[0] ?? known.at(-1) ?? null
  const overdue = running.filter((subscription) => subscription !== main && !entitled.includes(subscription))
  const extra = [...begun.filter(({ status }) => status !== 'canceled'), ...entitled.slice(1)]
  return { main, extra, overdue }
}

function isBegunDuplicate({ metadata }: StripeFacts): boolean {
  return metadata.duplicate === DUPLICATE.duplicate
}

/** Returns when the grace period of a subscription ends; null when no renewal is unpaid. */
export function graceOf({ status, items }: Pick<StripeFacts, 'status' | 'items'>): Date | null {
  const [item] = items.data
  return toState(status) === 'pastDue' && item ? graceUntil(new Date(item.current_period_start * SECOND_MS)) : null
}

function isEntitledNow(subscription: StripeFacts, now: Date): boolean {
  const state = toState(subscription.status)
  return state !== null && isEntitled(state, graceOf(subscription), now)
}

type Ending = { cancel_at_period_end: boolean; cancel_at: number | null }

/**
 * Returns the parameter that undoes a cancellation. The parameter depends on how the plan was canceled, because
 * `cancel_at_period_end: false` does not clear the date that Stripe's billing portal sets. A request may contain only
 * one of the two parameters.
 */
export function keepRenewing({ cancel_at_period_end, cancel_at }: Ending) {
  return cancel_at !== null && !cancel_at_period_end ? ({ cancel_at: '' } as const) : { cancel_at_period_end: false }
}

/** Returns our name for the interval of a Stripe price. Only yearly and monthly prices exist. */
export function toBillingPeriod(interval: string | undefined): BillingPeriod {
  return interval === 'year' ? 'yearly' : 'monthly'
}
