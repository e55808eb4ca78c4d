import 'server-only'
import type Stripe from 'stripe'

/** One period later, at the same time of day; the 31st becomes the last day of a shorter month. Unix seconds. */
export function addPeriod(seconds: number, recurring: Stripe.Price['recurring']): number {
  const from = new Date(seconds * 1000)
  const months = (recurring?.interval === 'year' ? 12 : 1) * (recurring?.interval_count ?? 1)
  const first = new Date(from)
  first.setUTCDate(1)
  first.setUTCMonth(from.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return Math.floor(first.getTime() / 1000)
}

/** The first end of a period after `now`, when the periods are counted from `anchor`. Unix seconds. */
export function nextPeriodEnd(anchor: number, now: number, recurring: Stripe.Price['recurring']): number {
  let end = anchor
  for (let count = 0; end <= now && count < 1_000; count += 1) end = addPeriod(end, recurring)
  return end
}

/** The part of what was paid for a period that belongs to the rest of it, to the second, in cents. */
export function unusedCents(item: Stripe.SubscriptionItem, paidCents: number, now: number): number {
  const { current_period_start: start, current_period_end: end } = item
  const left = Math.min(Math.max(end - now, 0), end - start)
  return Math.round((paidCents * left) / Math.max(1, end - start))
}
