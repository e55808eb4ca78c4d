import 'server-only'
import type Stripe from 'stripe'
import { declineOf, outcomeOf } from './cards'
import { createCharge } from './charges'
import { fileDispute } from './disputes'
import type { StripeErrorBody } from '../stripe-fault'
import { emit } from '../events/events'
import { cancelIntent } from './payment-intent-object'
import type { Tx } from '../store'

/**
 * An intent is canceled after this many declined attempts. Stripe documents that it cancels the intent, but not the
 * number (docs.stripe.com/payments/paymentintents/lifecycle).
 */
const MAX_TRIES = 20

export type Attempt =
  { kind: 'succeeded'; charge: Stripe.Charge } | { kind: 'declined'; error: StripeErrorBody } | { kind: 'asks-first' }

type AttemptOptions = {
  /** Whether the cardholder has already confirmed the payment, so that the bank does not ask again. */
  isAuthenticated: boolean
  /** Whether the payment is a renewal, which the cardholder is not present to confirm. */
  isOffSession?: boolean
}

/**
 * Tries to pay a locked payment intent with a card and stores the outcome. `intent` is changed and saved. The caller
 * files a dispute afterwards with `disputeIfAsked`, so that the dispute comes after the caller's own events.
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

/** Records that the cardholder refused to confirm the payment, so that the intent needs another card. */
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
  // The intent of a checkout session is not canceled here, because it ends with its session.
  if ((await failedTries(tx, intent.id)) >= MAX_TRIES && !(await tx.find('~intent_owner', `${intent.id}~owner`)))
    await cancelIntent(tx, intent, 'automatic')
  return { kind: 'declined', error }
}

async function failedTries(tx: Tx, intentId: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "SandboxObject"
      WHERE "kind" = 'charge' AND "json" @> $1::jsonb`,
    [JSON.stringify({ payment_intent: intentId, status: 'failed' })],
  )
  return rows[0]?.count ?? 0
}

/** Files the disputes or the inquiry of a payment, if the outcome of its test card includes them. */
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
