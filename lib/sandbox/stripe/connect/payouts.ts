import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import { accountBalance, platformBalance } from './balance'
import { bookMovement } from '../payments/balance-transactions'
import { doLater } from '../events/do-later'
import type { Call, Reply, Resource } from '../call'
import { accountOfPayout, emitOfPayout } from './payout-steps'
import { invalidRequest, noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { currency, expandable, integer, mergeMetadata, metadata, readParams, text } from '../params'
import type { Tx } from '../store'

const createParams = z.strictObject({
  amount: integer(),
  currency: currency(),
  description: text(1_000).optional(),
  metadata: metadata(),
  expand: expandable(),
})

const DAY_SECONDS = 24 * 60 * 60

/**
 * Pays a balance out to the bank: the platform's balance, or that of the connected account for which the call is made.
 * By default Stripe pays real accounts out every day, so a later transfer or reversal may find an empty balance.
 */
async function create({ tx, account, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  return { body: await payOut(tx, account, input.amount, mergeMetadata({}, input.metadata)) }
}

/**
 * Deducts `amountCents` from a balance and stores the payout, which arrives at the bank two days later.
 * @throws StripeFault if the balance is too small or the amount is below one cent.
 */
async function payOut(
  tx: Tx,
  account: string | null,
  amountCents: number,
  data: Stripe.Metadata = {},
): Promise<Stripe.Payout> {
  const { available: balanceCents } = account ? await accountBalance(tx, account) : await platformBalance(tx)
  if (amountCents < 1 || amountCents > balanceCents) {
    throw invalidRequest('You have insufficient funds in your Stripe account for this payout.', {
      code: 'balance_insufficient',
    })
  }
  const id = stripeId('po')
  const created = unixSeconds(tx.now())
  const movement = account
    ? null
    : await bookMovement(tx, {
        type: 'payout',
        amountCents: -amountCents,
        feeCents: 0,
        source: id,
        description: 'PAYOUT',
      })
  const payout = {
    id,
    object: 'payout',
    amount: amountCents,
    arrival_date: created + 2 * DAY_SECONDS,
    automatic: false,
    balance_transaction: movement?.id ?? null,
    created,
    currency: 'usd',
    description: null,
    destination: null,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    // The stand-in keeps the objects of all accounts in one table, so the payout has to name its account.
    metadata: account ? { ...data, sandbox_account: account } : data,
    method: 'standard',
    reconciliation_status: 'not_applicable',
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending',
    type: 'bank_account',
  } as Stripe.Payout
  await tx.insert(payout)
  await emitOfPayout(tx, 'payout.created', payout)
  await doLater(tx, id, 'payout-arrives', payout.arrival_date)
  return payout
}

/** A call finds only payouts of the account for which it is made; without an account, those of the platform. */
async function retrieve({ tx, id, account, params }: Call): Promise<Reply> {
  readParams(z.strictObject({ expand: expandable() }), params)
  const payout = await tx.find('payout', id)
  if (!payout || accountOfPayout(payout) !== account) throw noSuch('payout', id)
  return { body: payout }
}

export const payouts: Resource = {
  routes: [
    { method: 'POST', path: '/v1/payouts', run: create },
    { method: 'GET', path: '/v1/payouts/:id', run: retrieve },
  ],
}
