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

/** The part of a paid price that belongs to the rest of its period, to the second, in cents. */
export function unusedCents(item: Stripe.SubscriptionItem, now: number): number {
  const { current_period_start: start, current_period_end: end } = item
  const left = Math.min(Math.max(end - now, 0), end - start)
  return Math.round(((item.price.unit_amount ?? 0) * (item.quantity ?? 1) * left) / Math.max(1, end - start))
}
