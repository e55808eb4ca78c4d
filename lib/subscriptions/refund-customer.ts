import 'server-only'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded, isStripeDisputed } from '@/lib/infra/stripe-errors'
import { hourlyKey, onceKeyIsFree } from '@/lib/infra/stripe-keys'
import { SECOND_MS } from '@/lib/kernel/time'

type Whose = ({ customer: string } | { subscription: string }) & {
  /** Only payments up to this time. */
  paidUntil?: Date
}

/** What became of the payments, in cents. A disputed payment is decided by the bank and is in none of the sums. */
export type PlanRefund = { refundedCents: number; pendingCents: number; failedCents: number }

/**
 * Refunds every payment for the plan, of a customer or of one subscription. The idempotency keys come from the
 * payments, so repeated runs refund each payment only once.
 * @returns what Stripe says about all its refunds now.
 */
export async function refundCustomer(ctx: Context, { paidUntil, ...whose }: Whose): Promise<PlanRefund> {
  const sum: PlanRefund = { refundedCents: 0, pendingCents: 0, failedCents: 0 }
  const until = paidUntil ? paidUntil.getTime() / SECOND_MS : Infinity
  const paid = await ctx.stripe().invoices.list({ ...whose, status: 'paid', limit: 100 })
  for (const invoice of paid.data) {
    if (!invoice.id || invoice.amount_paid === 0 || (invoice.status_transitions.paid_at ?? 0) > until) continue
    const payments = await ctx.stripe().invoicePayments.list({ invoice: invoice.id, status: 'paid' })
    for (const { payment } of payments.data) {
      if (typeof payment.payment_intent === 'string') await refundPayment(ctx, payment.payment_intent, sum)
    }
  }
  return sum
}

async function refundPayment(ctx: Context, intentId: string, sum: PlanRefund): Promise<void> {
  const idempotencyKey = hourlyKey(`plan-refund-${intentId}`, ctx.clock.now())
  try {
    const refund = { payment_intent: intentId, metadata: { plan: 'pro' } }
    await onceKeyIsFree(() => ctx.stripe().refunds.create(refund, { idempotencyKey }))
  } catch (error) {
    // The bank decides about a disputed payment. The plan must still be cancelled, or it would renew.
    if (!isStripeAlreadyRefunded(error) && !isStripeDisputed(error)) throw error
  }
  // The answer is not enough: a refund can be pending, and a repeated answer is as old as its key.
  for (const { status, amount } of (await ctx.stripe().refunds.list({ payment_intent: intentId, limit: 100 })).data) {
    if (status === 'succeeded') sum.refundedCents += amount
    else if (status === 'failed' || status === 'canceled') sum.failedCents += amount
    else sum.pendingCents += amount
  }
}
