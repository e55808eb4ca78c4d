import 'server-only'
import type Stripe from 'stripe'
import { emit } from '../events/events'
import { stripeId, unixSeconds } from '../ids'
import type { PaymentIntentData } from '../objects'
import { invalidRequest } from '../stripe-fault'
import type { Tx } from '../store'

/** Stripe's limits for one charge in US dollars, in cents. */
const MIN_AMOUNT_CENTS = 50
const MAX_AMOUNT_CENTS = 99_999_999

/** Throws StripeFault for an amount that Stripe would not charge. */
export function requireChargeable(amountCents: number, param: string): void {
  if (amountCents > MAX_AMOUNT_CENTS) {
    throw invalidRequest('Amount must be no more than $999,999.99', { code: 'amount_too_large', param })
  }
  if (amountCents < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', { code: 'parameter_invalid_integer', param })
  }
  if (amountCents < MIN_AMOUNT_CENTS) {
    throw invalidRequest('Amount must be at least $0.50 usd', { code: 'amount_too_small', param })
  }
}

type NewIntent = PaymentIntentData & { amount: number; customer: string | null }

/** Stores a payment intent that has no card yet and sends its event. */
export async function createIntent(tx: Tx, input: NewIntent): Promise<Stripe.PaymentIntent> {
  const id = stripeId('pi')
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: input.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: input.capture_method ?? 'automatic_async',
    client_secret: stripeId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: unixSeconds(tx.now()),
    currency: 'usd',
    customer: input.customer,
    customer_account: null,
    description: input.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: input.metadata,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: input.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: input.shipping ?? null,
    source: null,
    statement_descriptor: input.statement_descriptor ?? null,
    statement_descriptor_suffix: input.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: input.transfer_group ?? null,
  }
  await tx.insert(intent)
  await emit(tx, 'payment_intent.created', intent)
  return intent
}

type CancellationReason = Stripe.PaymentIntent.CancellationReason

// Stripe also cancels a payment that is being processed, but only "in rare cases". The stand-in never does.
const CANCELABLE: readonly string[] = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** Whether a payment intent can still be canceled. */
export function isCancelable(intent: Stripe.PaymentIntent): boolean {
  return CANCELABLE.includes(intent.status)
}

/** Cancels a locked payment intent and sends the event. Changes and saves `intent`. */
export async function cancelIntent(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  reason: CancellationReason | null,
): Promise<void> {
  intent.status = 'canceled'
  intent.canceled_at = unixSeconds(tx.now())
  intent.cancellation_reason = reason
  intent.next_action = null
  await tx.save(intent)
  await emit(tx, 'payment_intent.canceled', intent)
}
