import 'server-only'
import type Stripe from 'stripe'
import { declineOf, outcomeOf } from './cards'
import { createCharge } from './charges'
import { fileDispute } from './disputes'
import type { StripeErrorBody } from './stripe-fault'
import { emit } from './events'
import type { Tx } from './store'

export type Attempt =
  { kind: 'succeeded'; charge: Stripe.Charge } | { kind: 'declined'; error: StripeErrorBody } | { kind: 'asks-first' }

type AttemptOptions = {
  /** The cardholder has confirmed the payment already, so the bank does not ask again. */
  isAuthenticated: boolean
  /** The payment is a renewal: the cardholder is not there to confirm it. */
  isOffSession?: boolean
}

/**
 * Tries to pay a locked payment intent with a card and stores the outcome; `intent` is changed and saved.
 * The caller files a dispute afterwards with `disputeIfAsked`, so that it comes after the caller's own events.
 */
export async function attemptPayment(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  { isAuthenticated, isOffSession = false }: AttemptOptions,
): Promise<Attempt> {
  const known = outcomeOf(method.card?.fingerprint)
  const outcome = isOffSession && known === 'fails-later' ? 'declined' : known
  if (outcome === 'asks-first' && !isAuthenticated) {
    intent.status = 'requires_action'
    intent.payment_method = method.id
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect' } }
    await tx.save(intent)
    await emit(tx, 'payment_intent.requires_action', intent)
    return { kind: 'asks-first' }
  }
  const decline = declineOf(outcome)
  const charge = await createCharge(tx, intent, method, decline, isAuthenticated)
  intent.next_action = null
  intent.latest_charge = charge.id
  if (decline) {
    await emit(tx, 'charge.failed', charge)
    return failAttempt(tx, intent, method, { type: 'card_error', ...decline, charge: charge.id })
  }
  intent.status = 'succeeded'
  intent.payment_method = method.id
  intent.amount_received = intent.amount
  intent.last_payment_error = null
  await tx.save(intent)
  await emit(tx, 'charge.succeeded', charge)
  await emit(tx, 'payment_intent.succeeded', intent)
  return { kind: 'succeeded', charge }
}

/** The cardholder refused to confirm: the intent needs another card. */
export async function failAuthentication(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
): Promise<Attempt> {
  intent.next_action = null
  return failAttempt(tx, intent, method, {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: 'Your card was not charged: the payment was not confirmed. Please try again or use another card.',
  })
}

async function failAttempt(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  error: StripeErrorBody,
): Promise<Attempt> {
  intent.status = 'requires_payment_method'
  intent.payment_method = null
  intent.last_payment_error = { ...error, type: 'card_error', payment_method: method }
  await tx.save(intent)
  await emit(tx, 'payment_intent.payment_failed', intent)
  return { kind: 'declined', error }
}

/** Files the dispute, the inquiry or the disputes of a payment with a test card that asks for them. */
export async function disputeIfAsked(tx: Tx, method: Stripe.PaymentMethod, attempt: Attempt): Promise<void> {
  if (attempt.kind !== 'succeeded') return
  const { charge } = attempt
  const outcome = outcomeOf(method.card?.fingerprint)
  if (outcome === 'disputed') await fileDispute(tx, charge)
  if (outcome === 'inquired') await fileDispute(tx, charge, { isInquiry: true })
  if (outcome !== 'disputed-twice') return
  const halfCents = Math.floor(charge.amount / 2)
  await fileDispute(tx, charge, { amountCents: halfCents, reason: 'product_not_received' })
  await fileDispute(tx, charge, { amountCents: charge.amount - halfCents })
}
