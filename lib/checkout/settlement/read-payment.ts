import 'server-only'
import type Stripe from 'stripe'
import type { Context } from '@/lib/infra/context'
import type { Buyer, Payment } from './mark-paid'
import { isPaymentIntent } from '../rules'
import { feeInChargeCurrency } from '@/lib/orders/fee-in-charge-currency'

/**
 * The state of one checkout as Stripe currently reports it, in either checkout mode
 * (docs/product.md#hosted-and-embedded-checkout).
 */
export type CheckoutPayment = {
  stripeId: string
  /** null when this checkout was not created by this platform. */
  orderId: string | null
  /**
   * `unpaid` means that no attempt to pay is under way: none was made, or the last one was declined. `over` means that
   * no payment can follow.
   */
  state: 'paid' | 'open' | 'unpaid' | 'over'
  amountCents: number | null
  currency: string | null
  payment: Payment
  buyer: Buyer
}

/** Reads a session or a payment intent from Stripe, with its charge and card fee. */
export function readPayment(ctx: Context, stripeId: string): Promise<CheckoutPayment> {
  return isPaymentIntent(stripeId) ? readIntent(ctx, stripeId) : readSession(ctx, stripeId)
}

async function readSession(ctx: Context, sessionId: string): Promise<CheckoutPayment> {
  const session = await ctx.stripe().checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  })
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent
  const details = session.customer_details
  const shipping = session.collected_information?.shipping_details ?? null
  return {
    stripeId: session.id,
    orderId: session.client_reference_id,
    state: stateOfSession(session, intent),
    amountCents: session.amount_total,
    currency: session.currency,
    payment: {
      ...paymentFacts(intent),
      intentId: typeof session.payment_intent === 'string' ? session.payment_intent : (intent?.id ?? null),
      taxCents: session.total_details?.amount_tax ?? 0,
    },
    buyer: {
      email: details?.email?.toLowerCase() ?? null,
      name: details?.name ?? shipping?.name ?? null,
      phone: details?.phone ?? null,
      ...addressFacts(shipping?.name, shipping?.address),
    },
  }
}

async function readIntent(ctx: Context, intentId: string): Promise<CheckoutPayment> {
  const intent = await ctx.stripe().paymentIntents.retrieve(intentId, { expand: ['latest_charge.balance_transaction'] })
  const charge = chargeOf(intent)
  const { shipping } = intent
  return {
    stripeId: intent.id,
    orderId: intent.metadata.orderId ?? null,
    state: stateOfIntent(intent.status),
    amountCents: intent.amount,
    currency: intent.currency,
    payment: paymentFacts(intent),
    buyer: {
      email: (charge?.billing_details.email ?? intent.receipt_email)?.toLowerCase() ?? null,
      name: charge?.billing_details.name ?? shipping?.name ?? null,
      phone: shipping?.phone ?? charge?.billing_details.phone ?? null,
      ...addressFacts(shipping?.name, shipping?.address),
    },
  }
}

/**
 * The state of a hosted checkout. A session can be complete although its payment has failed. No payment can follow
 * then, so the checkout counts as over.
 */
function stateOfSession(session: Stripe.Checkout.Session, intent: Stripe.PaymentIntent | null) {
  if (session.payment_status === 'paid') return 'paid'
  const hasFailed = ['canceled', 'requires_payment_method'].includes(intent?.status ?? '')
  return session.status === 'expired' || (session.status === 'complete' && hasFailed) ? 'over' : 'open'
}

function stateOfIntent(status: Stripe.PaymentIntent.Status): CheckoutPayment['state'] {
  if (status === 'succeeded') return 'paid'
  if (status === 'canceled') return 'over'
  return status === 'requires_payment_method' ? 'unpaid' : 'open'
}

function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  return intent && typeof intent.latest_charge === 'object' ? intent.latest_charge : null
}

function paymentFacts(intent: Stripe.PaymentIntent | null): Payment {
  const charge = chargeOf(intent)
  const card = charge?.payment_method_details?.card
  const balance = charge && typeof charge.balance_transaction === 'object' ? charge.balance_transaction : null
  return {
    intentId: intent?.id ?? null,
    chargeId: charge?.id ?? null,
    cardFeeCents: balance && charge ? feeInChargeCurrency(balance, charge.currency) : null,
    settlementCurrency: balance?.currency ?? null,
    cardFingerprint: card?.fingerprint ?? null,
    billingCountry: charge?.billing_details.address?.country ?? card?.country ?? null,
    // Only sessions have Stripe Tax (docs/stripe.md#taxes).
    taxCents: 0,
  }
}

function addressFacts(name: string | null | undefined, address: Stripe.Address | null | undefined) {
  return {
    shipName: name ?? null,
    line1: address?.line1 ?? null,
    line2: address?.line2 ?? null,
    city: address?.city ?? null,
    state: address?.state ?? null,
    postalCode: address?.postal_code ?? null,
    country: address?.country ?? null,
  }
}
