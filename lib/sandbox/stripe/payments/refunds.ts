import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { formatUsd } from '@/lib/kernel/money'
import { platformBalance } from '../connect/balance'
import type { Call, Reply, Resource } from '../call'
import { outcomeOf, type CardOutcome } from './cards'
import { closeRefundedInquiries, requireUndisputed } from './dispute-rules'
import { invalidRequest, noSuch } from '../stripe-fault'
import { emit } from '../events/events'
import { idOf, stripeId, unixSeconds } from '../ids'
import { doLater } from '../events/do-later'
import { listObjects, pageParams } from '../list'
import { expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import { addReference, takeFromBalance } from './refund-steps'
import type { Tx } from '../store'

const createParams = z.strictObject({
  payment_intent: text(255).optional(),
  charge: text(255).optional(),
  amount: integer().optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata: metadata(),
  expand: expandable(),
})

type CreateInput = z.output<typeof createParams>

async function lockPaidCharge(tx: Tx, input: CreateInput): Promise<Stripe.Charge> {
  if (input.charge !== undefined && input.payment_intent !== undefined) {
    throw invalidRequest('You may only specify one of these parameters: charge, payment_intent.')
  }
  if (input.charge !== undefined) {
    const charge = await tx.lock('charge', input.charge)
    if (!charge) throw noSuch('charge', input.charge, 'charge')
    if (!charge.paid) throw invalidRequest(`Charge ${charge.id} was not successful and cannot be refunded.`)
    return charge
  }
  if (input.payment_intent === undefined) {
    throw invalidRequest('One of the following params should be provided for this request: payment_intent or charge.', {
      code: 'parameter_missing',
    })
  }
  const intent = await tx.find('payment_intent', input.payment_intent)
  if (!intent) throw noSuch('payment_intent', input.payment_intent, 'payment_intent')
  const charge = intent.status === 'succeeded' ? await tx.lock('charge', idOf(intent.latest_charge) ?? '') : null
  if (!charge) throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
  return charge
}

async function refundableAmount(tx: Tx, charge: Stripe.Charge, asked: number | undefined): Promise<number> {
  await requireUndisputed(tx, charge)
  const leftCents = charge.amount - charge.amount_refunded
  if (leftCents === 0) {
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' })
  }
  const amount = asked ?? leftCents
  if (amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  if (amount > leftCents) {
    const message = `Refund amount (${formatUsd(amount)}) is greater than unrefunded amount on charge (${formatUsd(leftCents)})`
    throw invalidRequest(message, { param: 'amount' })
  }
  return amount
}

/**
 * Returns the first state of a refund. With one of the test cards the refund is pending at first. Stripe also keeps a
 * refund pending while the available balance is too small (docs.stripe.com/refunds).
 */
async function firstStateOf(tx: Tx, outcome: CardOutcome, amount: number) {
  if (outcome === 'refund-pending') return { status: 'pending', pending_reason: 'processing' } as const
  const { available } = await platformBalance(tx)
  if (amount > available) return { status: 'pending', pending_reason: 'insufficient_funds' } as const
  return { status: 'succeeded' } as const
}

function buildRefund(tx: Tx, charge: Stripe.Charge, input: CreateInput, amount: number): Stripe.Refund {
  return {
    id: stripeId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: unixSeconds(tx.now()),
    currency: charge.currency,
    customer: idOf(charge.customer),
    customer_account: null,
    destination_details: { type: 'card', card: { reference_status: 'pending', type: 'refund' } },
    metadata: mergeMetadata({}, input.metadata),
    payment_intent: idOf(charge.payment_intent),
    payment_method: charge.payment_method,
    reason: input.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'pending',
    transfer_reversal: null,
  }
}

async function create({ tx, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  const charge = await lockPaidCharge(tx, input)
  const amount = await refundableAmount(tx, charge, input.amount)
  const method = await tx.find('payment_method', idOf(charge.payment_method) ?? '')
  const outcome = outcomeOf(method?.card?.fingerprint)
  const refund = { ...buildRefund(tx, charge, input, amount), ...(await firstStateOf(tx, outcome, amount)) }
  if (refund.status === 'succeeded') await takeFromBalance(tx, refund)
  await tx.insert(refund)
  await emit(tx, 'refund.created', refund)
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded }
  charge.amount_refunded += amount
  charge.refunded = charge.amount_refunded === charge.amount
  await tx.save(charge)
  await emit(tx, 'charge.refunded', charge, previous)
  if (refund.status === 'succeeded') {
    await addReference(tx, refund)
    await closeRefundedInquiries(tx, charge)
  }
  if (refund.pending_reason === 'processing') await doLater(tx, refund.id, 'refund-succeeds')
  if (refund.pending_reason === 'insufficient_funds') await doLater(tx, refund.id, 'refund-is-funded')
  if (outcome === 'refund-fails') await doLater(tx, refund.id, 'refund-fails')
  return { body: refund }
}

const listParams = z.strictObject({
  ...pageParams,
  charge: text(255).optional(),
  payment_intent: text(255).optional(),
})

export const refunds: Resource = {
  routes: [
    { method: 'POST', path: '/v1/refunds', run: create },
    {
      method: 'GET',
      path: '/v1/refunds',
      run: async ({ tx, params }) => {
        const { charge, payment_intent, ...page } = readParams(listParams, params)
        const contains = { ...(charge && { charge }), ...(payment_intent && { payment_intent }) }
        return { body: await listObjects(tx, 'refund', '/v1/refunds', page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/refunds/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const refund = await tx.find('refund', id)
        if (!refund) throw noSuch('refund', id)
        return { body: refund }
      },
    },
    {
      method: 'POST',
      path: '/v1/refunds/:id',
      run: async ({ tx, id, params }) => {
        const input = readParams(z.strictObject({ metadata: metadata(), expand: expandable() }), params)
        const refund = await tx.lock('refund', id)
        if (!refund) throw noSuch('refund', id)
        const previous = { metadata: refund.metadata }
        refund.metadata = mergeMetadata(refund.metadata, input.metadata)
        await tx.save(refund)
        await emit(tx, 'refund.updated', refund, previous)
        return { body: refund }
      },
    },
  ],
}
