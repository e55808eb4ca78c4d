import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { estimateCardFeeCents } from '@/lib/kernel/money'
import { bookMovement } from './balance-transactions'
import type { Resource } from '../call'
import { type Decline, outcomeOf as outcomeOfCard } from './cards'
import { noSuch } from '../stripe-fault'
import { emit } from '../events/events'
import { stripeId, unixSeconds } from '../ids'
import { doLater } from '../events/do-later'
import { listObjects, pageParams } from '../list'
import { expandable, readParams, text } from '../params'
import type { Tx } from '../store'

/**
 * Stores the charge of a payment attempt. A declined card leaves a failed charge. A successful charge adds its money to
 * the balance right away, or later if the capture is asynchronous or a test has requested it (`settlesLate`).
 */
export async function createCharge(
  tx: Tx,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  decline: Decline | null,
  isAuthenticated: boolean,
): Promise<Stripe.Charge> {
  const id = stripeId('ch')
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'LASTCALL SANDBOX',
    captured: !decline,
    created: unixSeconds(tx.now()),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: 'card', card: cardDetails(intent, method, isAuthenticated) },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
    transfer_data: null,
    transfer_group: intent.transfer_group,
  }
  await tx.insert(charge)
  if (decline) return charge
  const isLate = intent.capture_method === 'automatic_async' || (await tx.find('~faults', '~faults'))?.settlesLate
  if (isLate) await doLater(tx, id, 'charge-settles')
  else await bookCharge(tx, charge)
  return charge
}

/** Adds the money of a charge to the balance, less the card fee. `charge` is changed and saved. */
async function bookCharge(tx: Tx, charge: Stripe.Charge): Promise<void> {
  const skipsPending = outcomeOfCard(charge.payment_method_details?.card?.fingerprint) === 'skips-pending'
  const movement = await bookMovement(tx, {
    type: 'charge',
    amountCents: charge.amount,
    feeCents: estimateCardFeeCents(charge.amount),
    source: charge.id,
    description: charge.description,
    ...(skipsPending ? { availableOn: unixSeconds(tx.now()) } : {}),
  })
  charge.balance_transaction = movement.id
  await tx.save(charge)
}

/**
 * Adds the money of a charge that settles late to the balance. An asynchronously captured payment gets its balance
 * transaction, with the card fee, only after it has succeeded
 * (docs.stripe.com/payments/payment-intents/asynchronous-capture).
 */
export async function settleCharge(tx: Tx, id: string): Promise<boolean> {
  const charge = await tx.lock('charge', id)
  if (!charge || charge.balance_transaction) return true
  await bookCharge(tx, charge)
  await emit(tx, 'charge.updated', charge, { balance_transaction: null })
  return true
}

function outcomeOf(decline: Decline | null): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.decline_code ?? null,
    risk_level: 'normal',
    risk_score: 12,
    seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  }
}

function cardDetails(
  intent: Stripe.PaymentIntent,
  { card }: Stripe.PaymentMethod,
  isAuthenticated: boolean,
): Stripe.Charge.PaymentMethodDetails.Card {
  return {
    amount_authorized: intent.amount,
    authorization_code: null,
    brand: card?.brand ?? null,
    checks: card?.checks ?? null,
    country: card?.country ?? null,
    electronic_commerce_indicator: null,
    exp_month: card?.exp_month ?? 12,
    exp_year: card?.exp_year ?? 2034,
    fingerprint: card?.fingerprint ?? null,
    funding: card?.funding ?? null,
    installments: null,
    last4: card?.last4 ?? null,
    mandate: null,
    network: card?.brand ?? null,
    network_token: { used: false },
    network_transaction_id: null,
    regulated_status: 'unregulated',
    three_d_secure: isAuthenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: null,
  }
}

const listParams = z.strictObject({
  ...pageParams,
  customer: text(255).optional(),
  payment_intent: text(255).optional(),
  transfer_group: text(255).optional(),
})

export const charges: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/charges',
      run: async ({ tx, params }) => {
        const { customer, payment_intent, transfer_group, ...page } = readParams(listParams, params)
        const contains = {
          ...(customer && { customer }),
          ...(payment_intent && { payment_intent }),
          ...(transfer_group && { transfer_group }),
        }
        return { body: await listObjects(tx, 'charge', '/v1/charges', page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/charges/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const charge = await tx.find('charge', id)
        if (!charge) throw noSuch('charge', id)
        return { body: charge }
      },
    },
  ],
  includables: {
    charge: {
      refunds: (tx, id) => listObjects(tx, 'refund', `/v1/charges/${id}/refunds`, {}, { contains: { charge: id } }),
    },
  },
}
