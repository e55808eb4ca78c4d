import 'server-only'
import type Stripe from 'stripe'
import { idOf } from '../ids'
import type { Tx } from '../store'

type Shifted = Record<string, unknown>

function shift(target: object | null | undefined, names: readonly string[], seconds: number): void {
  if (!target) return
  const members = target as Shifted
  for (const name of names) if (typeof members[name] === 'number') members[name] = members[name] - seconds
}

const SUBSCRIPTION_TIMES = ['billing_cycle_anchor', 'cancel_at', 'canceled_at', 'created', 'start_date']
const INVOICE_TIMES = [
  'automatically_finalizes_at',
  'created',
  'effective_at',
  'next_payment_attempt',
  'period_end',
  'period_start',
]

/**
 * Simulates the passing of time for one subscription by moving its dates and those of its invoices back, so that no
 * clock has to be changed. The next `renewDue` carries out the steps that are then due. Returns false for an unknown
 * subscription.
 */
export async function shiftSubscription(tx: Tx, id: string, seconds: number): Promise<boolean> {
  const subscription = await tx.lock('subscription', id)
  if (!subscription) return false
  shift(subscription, SUBSCRIPTION_TIMES, seconds)
  for (const item of subscription.items.data) {
    shift(item, ['created', 'current_period_end', 'current_period_start'], seconds)
  }
  await tx.save(subscription)
  const rows = await tx.query<{ json: Stripe.Invoice }>(
    `SELECT "json" FROM "SandboxObject" WHERE "kind" = 'invoice' AND "json" @> $1::jsonb FOR UPDATE`,
    [JSON.stringify({ customer: idOf(subscription.customer), parent: { subscription_details: { subscription: id } } })],
  )
  for (const { json: invoice } of rows) {
    shift(invoice, INVOICE_TIMES, seconds)
    shift(invoice.status_transitions, ['finalized_at', 'paid_at', 'voided_at'], seconds)
    await tx.save(invoice)
  }
  return true
}
