import 'server-only'
import type Stripe from 'stripe'

/** One period later, at the same time of day; the 31st becomes the last day of a shorter month. Unix seconds. */
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
 * The first end of a period after `now`. Each is counted from `anchor` and not from the one before: after a short month the
 * day of the anchor returns, as at Stripe (31 January, 28 February, 31 March). Unix seconds.
 */
export function nextPeriodEnd(anchor: number, now: number, recurring: Stripe.Price['recurring']): number {
  let end = anchor
  for (let count = 1; end <= now && count <= 1_000; count += 1) end = addPeriods(anchor, count, recurring)
  return end
}

/**
 * The end of the period that begins at `start`, a period's end itself. The periods since `anchor` are counted and rounded, so
 * that the day of the anchor returns after a short month. Unix seconds.
 */
export function renewedEnd(anchor: number, start: number, recurring: Stripe.Price['recurring']): number {
  const length = addPeriod(start, recurring) - start
  return Math.max(start + 1, addPeriods(anchor, Math.round((start - anchor) / length) + 1, recurring))
}

/** The part of what was paid for a period that belongs to the rest of it, to the second, in cents. */
export function unusedCents(item: Stripe.SubscriptionItem, paidCents: number, now: number): number {
  const { current_period_start: start, current_period_end: end } = item
  const left = Math.min(Math.max(end - now, 0), end - start)
  return Math.round((paidCents * left) / Math.max(1, end - start))
}
