import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { isInReach } from './accounts'
import { accountBalance, platformBalance } from './balance'
import { bookMovement, PENDING_SECONDS } from '../payments/balance-transactions'
import type { Call, Reply, Resource } from '../call'
import { accountInvalid, invalidRequest, noSuch } from '../stripe-fault'
import { emit } from '../events/events'
import { idOf, stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { currency, expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import type { Tx } from '../store'

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

async function requireEnabled(tx: Tx, id: string, platformCountry: string): Promise<void> {
  const account = await tx.find('account', id)
  if (!account) throw noSuch('destination', id, 'destination')
  if (!isInReach(platformCountry, account.country)) {
    throw invalidRequest(
      `Funds can't be sent to accounts located in ${account.country ?? 'their country'} because it's restricted outside of your platform's region.`,
    )
  }
  if (account.capabilities?.transfers !== 'active') {
    throw invalidRequest(
      `Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments`,
      { code: 'insufficient_capabilities_for_transfer' },
    )
  }
}

/**
 * Locks the charge from which a transfer is made. All transfers of a charge together cannot exceed its amount. Reversed
 * transfers count too, because Stripe's documentation does not exclude them.
 */
async function lockSource(tx: Tx, chargeId: string, amount: number): Promise<Stripe.Charge> {
  const charge = await tx.lock('charge', chargeId)
  if (!charge?.paid) throw noSuch('charge', chargeId, 'source_transaction')
  const [row] = await tx.query<{ sent: number }>(
    `SELECT coalesce(sum(("json"->>'amount')::int), 0)::int AS "sent"
       FROM "SandboxObject" WHERE "kind" = 'transfer' AND "json"->>'source_transaction' = $1`,
    [chargeId],
  )
  if ((row?.sent ?? 0) + amount > charge.amount) {
    throw invalidRequest('The transfers of this charge cannot be more than its amount.', { param: 'amount' })
  }
  return charge
}

/**
 * Returns the group of a transfer. A transfer from a charge belongs to the charge's group. A charge without a group
 * gets one that is named after its payment (docs.stripe.com/connect/separate-charges-and-transfers). A request for
 * another group is refused, because Stripe does not document what happens then.
 */
async function groupOf(tx: Tx, charge: Stripe.Charge | null, asked: string | undefined): Promise<string | null> {
  if (!charge) return asked ?? null
  const group = charge.transfer_group ?? `group_${idOf(charge.payment_intent) ?? charge.id}`
  if (asked !== undefined && asked !== group) {
    throw invalidRequest(`The transfer_group must be that of the source transaction: ${group}.`, {
      param: 'transfer_group',
    })
  }
  if (charge.transfer_group === null) await tx.save({ ...charge, transfer_group: group })
  return group
}

/** Returns the time at which the money of a charge becomes available, in Unix seconds. */
async function availableOn(tx: Tx, charge: Stripe.Charge): Promise<number> {
  const movement = await tx.find('balance_transaction', idOf(charge.balance_transaction) ?? '')
  return movement?.available_on ?? charge.created + PENDING_SECONDS
}

/** Throws StripeFault if the platform's available balance is too small for a transfer. */
async function requireFunds(tx: Tx, amount: number): Promise<void> {
  const { available } = await platformBalance(tx)
  if (amount > available) {
    throw invalidRequest('You have insufficient available funds in your Stripe account to make this transfer.', {
      code: 'balance_insufficient',
    })
  }
}

async function create({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  if (input.amount < 1) {
    throw invalidRequest('This value must be greater than or equal to 1.', {
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
  }
  await requireEnabled(tx, input.destination, settings.platform.country)
  const charge = input.source_transaction ? await lockSource(tx, input.source_transaction, input.amount) : null
  const group = await groupOf(tx, charge, input.transfer_group)
  const readyAt = charge ? await availableOn(tx, charge) : 0
  // A transfer from a pending charge waits for the charge's money, so it needs no balance yet.
  if (readyAt <= unixSeconds(tx.now())) await requireFunds(tx, input.amount)
  const id = stripeId('tr')
  const movement = await bookMovement(tx, {
    type: 'transfer',
    amountCents: -input.amount,
    feeCents: 0,
    source: id,
    description: input.description ?? null,
    ...(charge ? { availableOn: Math.max(readyAt, unixSeconds(tx.now())) } : {}),
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
    transfer_group: group,
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

/**
 * Throws StripeFault for a reversal that exceeds the connected account's available balance
 * (docs.stripe.com/connect/separate-charges-and-transfers). Stripe does not document the error code. Another page of
 * Stripe's documentation says that the balance becomes negative instead (/connect/risk-management/best-practices). A
 * test chooses one of the two behaviors with `overdraws`.
 */
async function requireCover(tx: Tx, destination: string, amount: number): Promise<void> {
  const faults = await tx.find('~faults', '~faults')
  if (faults?.overdraws) return
  if (amount > (await accountBalance(tx, destination)).available) {
    throw invalidRequest('The connected account does not have enough available balance to reverse this transfer.')
  }
}

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
  const destination = idOf(transfer.destination) ?? ''
  if (!(await tx.find('account', destination))) throw accountInvalid(destination)
  await requireCover(tx, destination, amount)
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
