import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { bookMovement } from './balance-transactions'
import type { Call, Reply, Resource } from './call'
import { invalidRequest, noSuch } from './errors'
import { emit } from './events'
import { stripeId, unixSeconds } from './ids'
import { listObjects, pageParams } from './list'
import { currency, expandable, integer, mergeMetadata, metadata, readParams, text } from './params'
import type { Tx } from './store'

const createParams = z.strictObject({
  amount: integer(),
  currency: currency(),
  destination: text(255),
  description: text(1_000).optional(),
  source_transaction: text(255).optional(),
  transfer_group: text(255).optional(),
  metadata: metadata(),
  expand: expandable(),
})

async function requireEnabled(tx: Tx, id: string): Promise<void> {
  const account = await tx.find('account', id)
  if (!account) throw noSuch('destination', id, 'destination')
  if (account.capabilities?.transfers !== 'active') {
    throw invalidRequest(
      `Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments`,
      { code: 'insufficient_capabilities_for_transfer' },
    )
  }
}

/** Out of one charge no more can be sent on than it brought. */
async function requireWithinCharge(tx: Tx, chargeId: string, amount: number): Promise<void> {
  const charge = await tx.lock('charge', chargeId)
  if (!charge?.paid) throw noSuch('charge', chargeId, 'source_transaction')
  const [row] = await tx.query<{ sent: number }>(
    `SELECT coalesce(sum(("json"->>'amount')::int - ("json"->>'amount_reversed')::int), 0)::int AS "sent"
       FROM "SandboxObject" WHERE "kind" = 'transfer' AND "json"->>'source_transaction' = $1`,
    [chargeId],
  )
  if ((row?.sent ?? 0) + amount > charge.amount) {
    throw invalidRequest('The transfers of this charge cannot be more than its amount.', { param: 'amount' })
  }
}

async function create({ tx, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  if (input.amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  await requireEnabled(tx, input.destination)
  if (input.source_transaction !== undefined) await requireWithinCharge(tx, input.source_transaction, input.amount)
  const id = stripeId('tr')
  const movement = await bookMovement(tx, {
    type: 'transfer',
    amountCents: -input.amount,
    feeCents: 0,
    source: id,
    description: input.description ?? null,
  })
  const transfer: Stripe.Transfer = {
    id,
    object: 'transfer',
    amount: input.amount,
    amount_reversed: 0,
    balance_transaction: movement.id,
    created: unixSeconds(tx.now()),
    currency: 'usd',
    description: input.description ?? null,
    destination: input.destination,
    destination_payment: stripeId('py'),
    livemode: false,
    metadata: mergeMetadata({}, input.metadata),
    reversals: { object: 'list', data: [], has_more: false, url: `/v1/transfers/${id}/reversals` },
    reversed: false,
    source_transaction: input.source_transaction ?? null,
    source_type: 'card',
    transfer_group: input.transfer_group ?? null,
  }
  await tx.insert(transfer)
  await emit(tx, 'transfer.created', transfer)
  return { body: transfer }
}

const reversalParams = z.strictObject({
  amount: integer().optional(),
  description: text(1_000).optional(),
  metadata: metadata(),
  expand: expandable(),
})

async function reverse({ tx, id, params }: Call): Promise<Reply> {
  const input = readParams(reversalParams, params)
  const transfer = await tx.lock('transfer', id)
  if (!transfer) throw noSuch('transfer', id, 'transfer')
  const left = transfer.amount - transfer.amount_reversed
  const amount = input.amount ?? left
  if (left === 0) throw invalidRequest(`Transfer ${id} is already fully reversed.`)
  if (amount < 1 || amount > left) {
    throw invalidRequest('The reversal is larger than what is left of this transfer.', { param: 'amount' })
  }
  const reversalId = stripeId('trr')
  const movement = await bookMovement(tx, {
    type: 'transfer_refund',
    amountCents: amount,
    feeCents: 0,
    source: reversalId,
    description: input.description ?? null,
  })
  const reversal: Stripe.TransferReversal = {
    id: reversalId,
    object: 'transfer_reversal',
    amount,
    balance_transaction: movement.id,
    created: unixSeconds(tx.now()),
    currency: 'usd',
    destination_payment_refund: stripeId('pyr'),
    metadata: mergeMetadata({}, input.metadata),
    source_refund: null,
    transfer: id,
  }
  await tx.insert(reversal)
  transfer.amount_reversed += amount
  transfer.reversed = transfer.amount_reversed === transfer.amount
  transfer.reversals.data.unshift(reversal)
  await tx.save(transfer)
  await emit(tx, 'transfer.reversed', transfer)
  return { body: reversal }
}

const listParams = z.strictObject({
  ...pageParams,
  destination: text(255).optional(),
  transfer_group: text(255).optional(),
})

export const transfers: Resource = {
  routes: [
    { method: 'POST', path: '/v1/transfers', run: create },
    {
      method: 'GET',
      path: '/v1/transfers',
      run: async ({ tx, params }) => {
        const { destination, transfer_group, ...page } = readParams(listParams, params)
        const contains = { ...(destination && { destination }), ...(transfer_group && { transfer_group }) }
        return { body: await listObjects(tx, 'transfer', '/v1/transfers', page, { contains }) }
      },
    },
    {
      method: 'GET',
      path: '/v1/transfers/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const transfer = await tx.find('transfer', id)
        if (!transfer) throw noSuch('transfer', id, 'transfer')
        return { body: transfer }
      },
    },
    { method: 'POST', path: '/v1/transfers/:id/reversals', run: reverse },
  ],
}
