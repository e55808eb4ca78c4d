import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { shippingParams, toShipping } from '../address'
import type { Call, Reply, Resource } from '../call'
import { invalidRequest, noSuch } from '../stripe-fault'
import { listObjects, pageParams } from '../list'
import { bool, clearableEmail, clearableText, currency, email, expandable } from '../params'
import { integer, mergeMetadata, metadata, noStatementDescriptor, readParams, text, webUrl } from '../params'
import { attemptPayment, disputeIfAsked } from './attempt-payment'
import { cancelIntent, createIntent, isCancelable, requireChargeable } from './payment-intent-object'
import { resolvePaymentMethod } from './payment-methods'
import type { Tx } from '../store'

const shared = { shipping: shippingParams.optional(), metadata: metadata(), expand: expandable() }
const confirmation = {
  payment_method: text(255).optional(),
  return_url: webUrl().optional(),
  off_session: bool().optional(),
  use_stripe_sdk: bool().optional(),
}

const createParams = z.strictObject({
  ...shared,
  ...confirmation,
  amount: integer(),
  currency: currency(),
  customer: text(255).optional(),
  description: text(1_000).optional(),
  receipt_email: email().optional(),
  statement_descriptor: noStatementDescriptor(),
  statement_descriptor_suffix: text(22).optional(),
  transfer_group: text(255).optional(),
  confirm: bool().optional(),
  automatic_payment_methods: z
    .strictObject({ enabled: bool(), allow_redirects: z.enum(['always', 'never']).optional() })
    .optional(),
  // This parameter replaces `payment_method_types`, which Stripe refuses since API version 2026-09-30.
  allowed_payment_method_types: z.array(z.enum(['card'])).optional(),
  capture_method: z.enum(['automatic', 'automatic_async']).optional(),
})

const updateParams = z.strictObject({
  ...shared,
  amount: integer().optional(),
  currency: currency().optional(),
  customer: text(255).optional(),
  description: clearableText(1_000).optional(),
  receipt_email: clearableEmail().optional(),
  transfer_group: text(255).optional(),
})

const confirmParams = z.strictObject({ ...shared, ...confirmation, receipt_email: clearableEmail().optional() })

const cancelParams = z.strictObject({
  cancellation_reason: z.enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  expand: expandable(),
})

async function getLocked(tx: Tx, id: string): Promise<Stripe.PaymentIntent> {
  const intent = await tx.lock('payment_intent', id)
  if (!intent) throw noSuch('payment_intent', id, 'intent')
  return intent
}

async function requireCustomer(tx: Tx, id: string | undefined): Promise<void> {
  if (id !== undefined && !(await tx.find('customer', id))) throw noSuch('customer', id, 'customer')
}

/**
 * Throws StripeFault for the intent of a checkout session. Such an intent is paid, canceled and given another amount
 * only through its session.
 */
async function requireUnowned(tx: Tx, intent: Stripe.PaymentIntent, advice: string): Promise<void> {
  const owner = await tx.find('~intent_owner', `${intent.id}~owner`)
  if (owner) {
    throw invalidRequest(`This PaymentIntent was created by the Checkout Session ${owner.sessionId}. ${advice}`, {
      code: 'payment_intent_unexpected_state',
    })
  }
}

function unexpectedState(intent: Stripe.PaymentIntent, verb: string) {
  const message = `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
  return invalidRequest(message, { code: 'payment_intent_unexpected_state' })
}

async function confirm(tx: Tx, intent: Stripe.PaymentIntent, methodId: string | undefined): Promise<Reply> {
  if (!['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(intent.status)) {
    throw unexpectedState(intent, 'confirm')
  }
  const chosen = methodId ?? (typeof intent.payment_method === 'string' ? intent.payment_method : undefined)
  if (chosen === undefined) {
    throw invalidRequest(
      'You cannot confirm this PaymentIntent because it is missing a payment method. Update it with one, or give one while confirming.',
      { code: 'payment_intent_unexpected_state' },
    )
  }
  const method = await resolvePaymentMethod(tx, chosen)
  const attempt = await attemptPayment(tx, intent, method, { isAuthenticated: false })
  await disputeIfAsked(tx, method, attempt)
  if (attempt.kind !== 'declined') return { body: intent }
  return { status: 402, body: { error: { ...attempt.error, payment_intent: intent, payment_method: method } } }
}

async function create({ tx, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  requireChargeable(input.amount, 'amount')
  await requireCustomer(tx, input.customer)
  const intent = await createIntent(tx, {
    ...input,
    customer: input.customer ?? null,
    metadata: mergeMetadata({}, input.metadata),
    shipping: input.shipping && toShipping(input.shipping),
  })
  intent.automatic_payment_methods = input.allowed_payment_method_types
    ? null
    : { allow_redirects: 'always', enabled: true }
  if (input.confirm) return confirm(tx, intent, input.payment_method)
  if (input.payment_method !== undefined) {
    intent.payment_method = (await resolvePaymentMethod(tx, input.payment_method)).id
    intent.status = 'requires_confirmation'
  }
  await tx.save(intent)
  return { body: intent }
}

async function update({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(updateParams, params)
  await requireCustomer(tx, input.customer)
  const intent = await getLocked(tx, id)
  if (input.amount !== undefined && input.amount !== intent.amount) {
    requireChargeable(input.amount, 'amount')
    await requireUnowned(tx, intent, 'Its amount is that of the session.')
    if (!isCancelable(intent)) throw unexpectedState(intent, 'change the amount of')
    intent.amount = input.amount
  }
  if (input.customer !== undefined) intent.customer = input.customer
  if (input.description !== undefined) intent.description = input.description
  if (input.receipt_email !== undefined) intent.receipt_email = input.receipt_email
  if (input.transfer_group !== undefined) intent.transfer_group = input.transfer_group
  if (input.shipping) intent.shipping = toShipping(input.shipping)
  intent.metadata = mergeMetadata(intent.metadata, input.metadata)
  await tx.save(intent)
  return { body: intent }
}

export const paymentIntents: Resource = {
  routes: [
    { method: 'POST', path: '/v1/payment_intents', run: create },
    {
      method: 'GET',
      path: '/v1/payment_intents',
      run: async ({ tx, params }) => {
        const { customer, ...page } = readParams(
          z.strictObject({ ...pageParams, customer: text(255).optional() }),
          params,
        )
        const contains = { ...(customer && { customer }) }
        return { body: await listObjects(tx, 'payment_intent', '/v1/payment_intents', page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/payment_intents/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const intent = await tx.find('payment_intent', id)
        if (!intent) throw noSuch('payment_intent', id, 'intent')
        return { body: intent }
      },
    },
    { method: 'POST', path: '/v1/payment_intents/:id', run: update },
    {
      method: 'POST',
      path: '/v1/payment_intents/:id/confirm',
      run: async ({ tx, id, params }) => {
        const input = readParams(confirmParams, params)
        const intent = await getLocked(tx, id)
        await requireUnowned(tx, intent, 'It is paid on its checkout page.')
        if (input.shipping) intent.shipping = toShipping(input.shipping)
        if (input.receipt_email !== undefined) intent.receipt_email = input.receipt_email
        intent.metadata = mergeMetadata(intent.metadata, input.metadata)
        return confirm(tx, intent, input.payment_method)
      },
    },
    {
      method: 'POST',
      path: '/v1/payment_intents/:id/cancel',
      run: async ({ tx, id, params }) => {
        const { cancellation_reason } = readParams(cancelParams, params)
        const intent = await getLocked(tx, id)
        await requireUnowned(tx, intent, 'Expire the Checkout Session instead.')
        if (!isCancelable(intent)) throw unexpectedState(intent, 'cancel')
        await cancelIntent(tx, intent, cancellation_reason ?? null)
        return { body: intent }
      },
    },
  ],
}
