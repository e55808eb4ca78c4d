import 'server-only'
import type Stripe from 'stripe'
import { addPeriod, nextPeriodEnd, unusedCents } from './billing-dates'
import { itemOf, setPrice } from './build-subscription'
import { idOf, unixSeconds } from '../ids'
import { buildInvoice } from './invoice-object'
import type { Tx } from '../store'
import { invalidRequest, noSuch } from '../stripe-fault'

type PriceChange = {
  proration_behavior?: 'always_invoice' | 'create_prorations' | 'none' | undefined
  billing_cycle_anchor?: { type: 'now' | 'unchanged' } | undefined
}

/**
 * Returns the amount debited for the current period, in cents. Stripe bases credits on this amount, not on the price.
 */
async function debitedCents(tx: Tx, subscription: Stripe.Subscription): Promise<number> {
  const invoice = await tx.find('invoice', idOf(subscription.latest_invoice) ?? '')
  return (invoice?.lines.data ?? []).reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}

/**
 * Changes the price, and credits the rest of the old period unless the caller asks for no proration. The new period
 * begins now and is charged right away. In classic billing mode, each switch resets the billing anchor. In flexible
 * mode, only the caller can reset the anchor. Without a reset, the first period ends on an anniversary of the anchor,
 * and its price is reduced in proportion (docs.stripe.com/billing/subscriptions/billing-mode/compare).
 * Changes `subscription`, which the caller saves.
 * @returns the invoice and the customer with what is left of the credit, both not saved; null for the price it has.
 */
export async function applyPrice(
  tx: Tx,
  subscription: Stripe.Subscription,
  priceId: string,
  change: PriceChange,
): Promise<{ invoice: Stripe.Invoice; customer: Stripe.Customer } | null> {
  const item = itemOf(subscription)
  const price = await tx.find('price', priceId)
  if (!price) throw noSuch('price', priceId, 'items[0][price]')
  if (!price.recurring) {
    throw invalidRequest('The price specified is set to `type=one_time` but this field only accepts recurring prices.')
  }
  if (price.id === item.price.id) return null
  const customer = await tx.lock('customer', idOf(subscription.customer) ?? '')
  if (!customer) throw noSuch('customer', String(subscription.customer))
  const now = unixSeconds(tx.now())
  const unused = { start: now, end: item.current_period_end }
  const creditCents =
    change.proration_behavior === 'none' ? 0 : unusedCents(item, await debitedCents(tx, subscription), now)
  const isReset = change.billing_cycle_anchor?.type === 'now' || subscription.billing_mode.type === 'classic'
  if (isReset) subscription.billing_cycle_anchor = now
  const end = isReset ? undefined : nextPeriodEnd(subscription.billing_cycle_anchor, now, price.recurring)
  setPrice(item, price, now, end)
  const whole = addPeriod(now, price.recurring) - now
  const debitCents = Math.round(((price.unit_amount ?? 0) * Math.min(whole, item.current_period_end - now)) / whole)
  const invoice = buildInvoice(tx, {
    customer,
    subscription,
    reason: 'subscription_update',
    lines: [
      { amountCents: -creditCents, description: 'Unused time', isProration: true, period: unused },
      { amountCents: debitCents, description: 'New period', isProration: !isReset },
    ],
    period: { start: item.current_period_start, end: item.current_period_end },
  })
  return { invoice, customer }
}
