import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Resource } from '../call'
import { noSuch } from '../stripe-fault'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { expandable, readParams, text } from '../params'
import type { Tx } from '../store'

/** How long the money of a charge stays pending on the platform's balance. */
export const PENDING_SECONDS = 2 * 24 * 60 * 60

type Movement = {
  type:
    'adjustment' | 'charge' | 'payout' | 'payout_failure' | 'refund' | 'refund_failure' | 'transfer' | 'transfer_refund'
  amountCents: number
  feeCents: number
  source: string
  description: string | null
  /** When the money can be used, in Unix seconds: by default right away, and for a charge after two days. */
  availableOn?: number
}

/** Books a movement of money on the platform's balance. Amounts are in cents, and negative when money leaves. */
export async function bookMovement(tx: Tx, movement: Movement): Promise<Stripe.BalanceTransaction> {
  const created = unixSeconds(tx.now())
  const { type, amountCents, feeCents, source, description } = movement
  const transaction: Stripe.BalanceTransaction = {
    id: stripeId('txn'),
    object: 'balance_transaction',
    amount: amountCents,
    available_on: movement.availableOn ?? (type === 'charge' ? created + PENDING_SECONDS : created),
    balance_type: 'payments',
    created,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee: feeCents,
    fee_details:
      feeCents === 0
        ? []
        : [
            {
              amount: feeCents,
              application: null,
              currency: 'usd',
              description: type === 'adjustment' ? 'Dispute fee' : 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amountCents - feeCents,
    reporting_category: type === 'adjustment' ? 'dispute' : type,
    source,
    status: type === 'charge' || (movement.availableOn ?? 0) > created ? 'pending' : 'available',
    type,
  }
  await tx.insert(transaction)
  return transaction
}

/**
 * Returns the transaction with its current status. Pending money becomes available as time passes, without a change of
 * the row.
 */
function asOfNow(transaction: Stripe.BalanceTransaction, tx: Tx): Stripe.BalanceTransaction {
  return transaction.available_on <= unixSeconds(tx.now()) ? { ...transaction, status: 'available' } : transaction
}

const listParams = z.strictObject({ ...pageParams, source: text(255).optional(), type: text(50).optional() })

export const balanceTransactions: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/balance_transactions',
      run: async ({ tx, params }) => {
        const { source, type, ...page } = readParams(listParams, params)
        const contains = { ...(source && { source }), ...(type && { type }) }
        const list = await listObjects(tx, 'balance_transaction', '/v1/balance_transactions', page, { contains })
        return { body: { ...list, data: list.data.map((transaction) => asOfNow(transaction, tx)) } }
      },
    },
    {
      method: 'GET',
      path: '/v1/balance_transactions/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const transaction = await tx.find('balance_transaction', id)
        if (!transaction) throw noSuch('balance transaction', id)
        return { body: asOfNow(transaction, tx) }
      },
    },
  ],
}
