import 'server-only'
import type Stripe from 'stripe'
import type { StripeErrorBody } from '../stripe-fault'
import { emit } from '../events/events'
import { stripeId, unixSeconds } from '../ids'
import { attemptPayment } from '../payments/attempt-payment'
import { createIntent } from '../payments/payment-intent-object'
import type { Tx } from '../store'

/**
 * Marks an invoice as paid by a payment intent and sends the events. `intentId` is null if no payment was needed.
 * Changes and saves `invoice`.
 */
export async function markInvoicePaid(tx: Tx, invoice: Stripe.Invoice, intentId: string | null): Promise<void> {
  const paidAt = unixSeconds(tx.now())
  invoice.status = 'paid'
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.attempted = true
  invoice.attempt_count += 1
  invoice.next_payment_attempt = null
  invoice.status_transitions.paid_at = paidAt
  if (intentId) {
    await tx.insert({
      id: stripeId('inpay'),
      object: 'invoice_payment',
      amount_paid: invoice.amount_due,
      amount_requested: invoice.amount_due,
      created: paidAt,
      currency: 'usd',
      invoice: invoice.id,
      is_default: true,
      livemode: false,
      payment: { type: 'payment_intent', payment_intent: intentId },
      status: 'paid',
      status_transitions: { canceled_at: null, paid_at: paidAt },
    })
  }
  await tx.save(invoice)
  await emit(tx, 'invoice.paid', invoice)
  await emit(tx, 'invoice.payment_succeeded', invoice)
}

/**
 * Tries to pay an open invoice with the card of its subscription while the customer is absent. Changes and saves
 * `invoice`.
 * @returns null if the invoice is paid, otherwise the error.
 */
export async function chargeInvoice(
  tx: Tx,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
): Promise<StripeErrorBody | null> {
  if (invoice.amount_due === 0) {
    await markInvoicePaid(tx, invoice, null)
    return null
  }
  const method = await tx.find('payment_method', String(subscription.default_payment_method ?? ''))
  if (!method) {
    await markInvoiceFailed(tx, invoice)
    return { type: 'card_error', code: 'resource_missing', message: 'This customer has no card.' }
  }
  const intent = await createIntent(tx, {
    amount: invoice.amount_due,
    customer: String(invoice.customer),
    description: 'Subscription update',
    metadata: {},
  })
  const attempt = await attemptPayment(tx, intent, method, { isAuthenticated: false, isOffSession: true })
  if (attempt.kind === 'succeeded') {
    await markInvoicePaid(tx, invoice, intent.id)
    return null
  }
  await markInvoiceFailed(tx, invoice)
  if (attempt.kind === 'asks-first') await emit(tx, 'invoice.payment_action_required', invoice)
  return attempt.kind === 'declined'
    ? attempt.error
    : { type: 'card_error', code: 'authentication_required', message: 'Your card asks for a confirmation.' }
}

async function markInvoiceFailed(tx: Tx, invoice: Stripe.Invoice): Promise<void> {
  invoice.attempted = true
  invoice.attempt_count += 1
  await tx.save(invoice)
  await emit(tx, 'invoice.payment_failed', invoice)
}
