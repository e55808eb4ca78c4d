import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import { isStripeAlreadyRefunded, isStripeDisputed } from '@/lib/infra/stripe-errors'
import { hourlyKey, onceKeyIsFree } from '@/lib/infra/stripe-keys'
import { SECOND_MS } from '@/lib/kernel/time'
import type { FailedRefund } from './mails'

type Scope = ({ customer: string } | { subscription: string }) & {
  /**
   * Only payments for subscriptions that were bought up to this time are refunded, even those that were made later: the
   * card is charged again when a renewal or a switch of the billing period comes at the same moment.
   */
  boughtUntil?: Date
}

/**
 * The refunds by their state, in cents, and those that failed. A disputed payment is in none of them, because the bank
 * decides about it.
 */
export type PlanRefund = { refundedCents: number; pendingCents: number; failed: FailedRefund[] }

/**
 * Refunds every payment for the plan of a customer, or of one subscription, see `boughtUntil`. The idempotency keys are
 * derived from the payment and the hour, or from the payment and the rest of it (refundPayment()), so simultaneous
 * calls refund each payment only once. Stripe refuses to refund a payment again later.
 * @returns the current state of all refunds of these payments.
 */
export async function refundCustomer(ctx: Context, { boughtUntil, ...scope }: Scope): Promise<PlanRefund> {
  const sum: PlanRefund = { refundedCents: 0, pendingCents: 0, failed: [] }
  const later = boughtUntil && 'customer' in scope ? await listLater(ctx, scope.customer, boughtUntil) : null
  for await (const invoice of ctx.stripe().invoices.list({ ...scope, status: 'paid', limit: 100 })) {
    if (!invoice.id || invoice.amount_paid === 0 || later?.has(subscriptionOf(invoice))) continue
    await addRefundsOf(ctx, invoice.id, sum)
  }
  return sum
}

/** Refunds every payment for one invoice. It may run again, as refundCustomer(). */
export async function refundInvoice(ctx: Context, invoiceId: string): Promise<void> {
  await addRefundsOf(ctx, invoiceId, { refundedCents: 0, pendingCents: 0, failed: [] })
}

async function addRefundsOf(ctx: Context, invoiceId: string, sum: PlanRefund): Promise<void> {
  const payments = await ctx.stripe().invoicePayments.list({ invoice: invoiceId, status: 'paid' })
  for (const { payment, amount_paid } of payments.data) {
    const { payment_intent: intentId } = payment
    if (typeof intentId === 'string') await refundPayment(ctx, { intentId, paidCents: amount_paid ?? 0 }, sum)
  }
}

/** Returns the ids of the subscriptions that a customer has bought after this time. */
async function listLater(ctx: Context, customer: string, time: Date): Promise<Set<string>> {
  const later = new Set<string>()
  for await (const { id, created } of ctx.stripe().subscriptions.list({ customer, status: 'all', limit: 100 })) {
    if (created * SECOND_MS > time.getTime()) later.add(id)
  }
  return later
}

function subscriptionOf({ parent }: Stripe.Invoice): string {
  const subscription = parent?.subscription_details?.subscription
  return typeof subscription === 'string' ? subscription : (subscription?.id ?? '')
}

type PlanPayment = { intentId: string; paidCents: number }

/**
 * Refunds a payment. If a refund of it has failed before, only the rest is refunded: the failed refund is paid in
 * another way, so another one would return the money twice. Stripe does not document whether it would accept another
 * one (docs/stripe-rules.md, D5).
 */
async function refundPayment(ctx: Context, { intentId, paidCents }: PlanPayment, sum: PlanRefund): Promise<void> {
  const known = await listRefunds(ctx, intentId)
  const restCents = known.reduce((left, { amount }) => left - amount, paidCents)
  const isWhole = !known.some(hasFailed)
  // Stripe does not report the amount of every payment.
  if (restCents > 0 || (isWhole && paidCents === 0)) await requestRefund(ctx, intentId, isWhole ? undefined : restCents)
  // The response to the request is not enough. A refund can be pending, and Stripe repeats an old response for the same
  // key.
  for (const refund of await listRefunds(ctx, intentId)) {
    const { status, amount } = refund
    if (status === 'succeeded') sum.refundedCents += amount
    else if (hasFailed(refund)) sum.failed.push({ id: refund.id, amount })
    else sum.pendingCents += amount
  }
}

const hasFailed = ({ status }: Stripe.Refund) => status === 'failed' || status === 'canceled'

async function listRefunds(ctx: Context, intentId: string): Promise<Stripe.Refund[]> {
  return (await ctx.stripe().refunds.list({ payment_intent: intentId, limit: 100 })).data
}

/**
 * Requests the refund of all that is left of a payment, or of `cents`. The key for `cents` never changes, because
 * Stripe would not refuse to refund a part twice.
 */
async function requestRefund(ctx: Context, intentId: string, cents?: number): Promise<void> {
  const key = `plan-refund-${intentId}`
  const idempotencyKey = cents === undefined ? hourlyKey(key, ctx.clock.now()) : `${key}-rest-${cents}`
  try {
    const part = cents === undefined ? {} : { amount: cents }
    const refund = { payment_intent: intentId, ...part, metadata: { plan: 'pro' } }
    await onceKeyIsFree(() => ctx.stripe().refunds.create(refund, { idempotencyKey }))
  } catch (error) {
    // The bank decides about a disputed payment. The caller must still be able to cancel the plan, or it would renew.
    if (!isStripeAlreadyRefunded(error) && !isStripeDisputed(error)) throw error
  }
}
