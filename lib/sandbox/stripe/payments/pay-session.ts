import 'server-only'
import type Stripe from 'stripe'
import { createCustomer } from './customers'
import type { StripeErrorBody } from '../stripe-fault'
import { emit } from '../events/events'
import { idOf } from '../ids'
import type { CardPageBuyer, CheckoutPlan } from '../objects'
import { attemptPayment, disputeIfAsked, failAuthentication, type Attempt } from './attempt-payment'
import { createIntent } from './payment-intent-object'
import { createCard, type CardDetails } from './payment-methods'
import { startSubscription } from '../billing/start-subscription'
import type { Tx } from '../store'
import { addTax } from './taxes'

export type PayResult = { kind: 'paid' } | { kind: 'asks-first' } | { kind: 'declined'; error: StripeErrorBody }

/** Locks and returns the payment intent of a session. The first attempt to pay creates the intent. */
async function intentOf(tx: Tx, session: Stripe.Checkout.Session, plan: CheckoutPlan): Promise<Stripe.PaymentIntent> {
  const existing = plan.subscription ? plan.subscription.intentId : idOf(session.payment_intent)
  const found = existing && (await tx.lock('payment_intent', existing))
  if (found) return found
  const intent = await createIntent(tx, {
    ...plan.paymentIntentData,
    amount: session.amount_total ?? 0,
    customer: idOf(session.customer),
  })
  await tx.insert({ id: `${intent.id}~owner`, object: '~intent_owner', sessionId: session.id })
  // A session in subscription mode shows its invoice instead of a payment intent.
  if (plan.subscription) {
    plan.subscription.intentId = intent.id
    await tx.save(plan)
  } else {
    session.payment_intent = intent.id
    await tx.save(session)
  }
  return intent
}

function billingOf(buyer: CardPageBuyer): Stripe.PaymentMethod.BillingDetails {
  const { country = 'US', postal_code = null } = buyer.shipping?.address ?? {}
  return {
    address: { city: null, country, line1: null, line2: null, postal_code, state: null },
    email: buyer.email,
    name: buyer.cardholderName,
    phone: buyer.phone,
    tax_id: null,
  }
}

/** Marks the session as paid and emits `checkout.session.completed`. */
async function complete(
  tx: Tx,
  session: Stripe.Checkout.Session,
  plan: CheckoutPlan,
  buyer: CardPageBuyer,
  method: Stripe.PaymentMethod,
): Promise<void> {
  const { address } = billingOf(buyer)
  session.status = 'complete'
  session.payment_status = 'paid'
  session.url = null
  session.customer_details = {
    address,
    business_name: null,
    email: buyer.email,
    individual_name: null,
    name: buyer.cardholderName,
    phone: buyer.phone,
    tax_exempt: 'none',
    tax_ids: [],
  }
  addTax(session, plan, (buyer.shipping?.address ?? address)?.country ?? null)
  await tx.save(plan)
  session.collected_information = { business_name: null, individual_name: null, shipping_details: buyer.shipping }
  if (plan.createsCustomer) {
    const { email, cardholderName: name, phone } = buyer
    session.customer = (await createCustomer(tx, { email, name, phone, address })).id
  }
  if (plan.subscription) await startSubscription(tx, session, plan, method)
  await tx.save(session)
  await emit(tx, 'checkout.session.completed', session)
}

/** Stores the outcome of an attempt to pay, and completes the session if it succeeded. */
async function finish(
  tx: Tx,
  session: Stripe.Checkout.Session,
  plan: CheckoutPlan,
  attempt: Attempt,
  method: Stripe.PaymentMethod,
  buyer: CardPageBuyer,
): Promise<PayResult> {
  plan.pending = attempt.kind === 'asks-first' ? { paymentMethodId: method.id, buyer } : null
  await tx.save(plan)
  if (attempt.kind !== 'succeeded') return attempt
  await complete(tx, session, plan, buyer, method)
  await disputeIfAsked(tx, method, attempt)
  return { kind: 'paid' }
}

/** Pays a locked open session with a card. */
export async function paySession(
  tx: Tx,
  session: Stripe.Checkout.Session,
  plan: CheckoutPlan,
  card: CardDetails,
  buyer: CardPageBuyer,
  isConfirmed: boolean,
): Promise<PayResult> {
  const method = await createCard(tx, card, billingOf(buyer))
  const intent = await intentOf(tx, session, plan)
  if (buyer.shipping) intent.shipping = { ...buyer.shipping, carrier: null, phone: buyer.phone, tracking_number: null }
  const attempt = await attemptPayment(tx, intent, method, { isAuthenticated: isConfirmed })
  return finish(tx, session, plan, attempt, method, buyer)
}

/**
 * Finishes a payment for which the bank asked the cardholder to authenticate. Returns null if the session has no such
 * payment.
 */
export async function answerPending(
  tx: Tx,
  session: Stripe.Checkout.Session,
  plan: CheckoutPlan,
  isApproved: boolean,
): Promise<PayResult | null> {
  if (!plan.pending) return null
  const { paymentMethodId, buyer } = plan.pending
  const method = await tx.find('payment_method', paymentMethodId)
  const intent = await intentOf(tx, session, plan)
  if (!method || intent.status !== 'requires_action') return null
  const attempt = isApproved
    ? await attemptPayment(tx, intent, method, { isAuthenticated: true })
    : await failAuthentication(tx, intent, method)
  return finish(tx, session, plan, attempt, method, buyer)
}
