import 'server-only'
import type Stripe from 'stripe'

/**
 * Adds one period to a time in Unix seconds. The time of day stays the same, and the 31st becomes the last day of a
 * shorter month.
 */
export const addPeriod = (seconds: number, recurring: Stripe.Price['recurring']): number =>
  addPeriods(seconds, 1, recurring)

function addPeriods(seconds: number, count: number, recurring: Stripe.Price['recurring']): number {
  const from = new Date(seconds * 1000)
  const months = count * (recurring?.interval === 'year' ? 12 : 1) * (recurring?.interval_count ?? 1)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(from.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return Math.floor(first.getTime() / 1000)
}

/**
 * The first end of a period after `now`, in Unix seconds. Every end is counted from `anchor` and not from the end
 * before it. The day of the anchor therefore returns after a short month, as at Stripe (31 January, 28 February, 31
 * March).
 */
export function nextPeriodEnd(anchor: number, now: number, recurring: Stripe.Price['recurring']): number {
  let end = anchor
  for (let count = 1; end <= now && count <= 1_000; count += 1) end = addPeriods(anchor, count, recurring)
  return end
}

/**
 * The end of the period that begins at `start`, in Unix seconds. `start` is the end of the period before. The function
 * finds the end counted from `anchor` that is nearest to `start`, and returns the one after it. The day of the anchor
 * therefore returns after a short month.
 */
export function renewedEnd(anchor: number, start: number, recurring: Stripe.Price['recurring']): number {
  let count = 0
  while (addPeriods(anchor, count + 1, recurring) <= start && count < 1_000) count += 1
  const [before, after] = [addPeriods(anchor, count, recurring), addPeriods(anchor, count + 1, recurring)]
  const nearest = start - before <= after - start ? count : count + 1
  return Math.max(start + 1, addPeriods(anchor, nearest + 1, recurring))
}

/** The part of `paidCents` for the time that is left of the item's period, in cents. The time is counted in seconds. */
export function unusedCents(item: Stripe.SubscriptionItem, paidCents: number, now: number): number {
  const { current_period_start: start, current_period_end: end } = item
  const left = Math.min(Math.max(end - now, 0), end - start)
  return Math.round((paidCents * left) / Math.max(1, end - start))
}
