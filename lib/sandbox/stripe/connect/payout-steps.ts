import 'server-only'
import type Stripe from 'stripe'
import { takeOnboardingStep } from './accounts'
import { bookMovement } from '../payments/balance-transactions'
import { emit, emitOfAccount } from '../events/events'
import type { Tx } from '../store'

/** Returns the id of the connected account that a payout belongs to; null for a payout of the platform. */
export function accountOfPayout({ metadata }: Stripe.Payout): string | null {
  return metadata?.sandbox_account ?? null
}

/** Writes an event of a payout, which goes to the endpoint of the account that is paid out. */
export function emitOfPayout(
  tx: Tx,
  type: 'payout.created' | 'payout.paid' | 'payout.failed',
  payout: Stripe.Payout,
): Promise<void> {
  const account = accountOfPayout(payout)
  return account ? emitOfAccount(tx, type, account, payout) : emit(tx, type, payout)
}

/** Marks a payout that was not refused meanwhile as paid on its day of arrival. */
export async function arrivePayout(tx: Tx, id: string): Promise<boolean> {
  const payout = await tx.lock('payout', id)
  if (payout?.status !== 'pending') return true
  payout.status = 'paid'
  await tx.save(payout)
  await emitOfPayout(tx, 'payout.paid', payout)
  return true
}

/**
 * Lets the bank refuse a payout, even one that was already reported as paid. The money returns to the balance. Stripe
 * sends nothing more to the bank of a connected account until its owner has corrected the bank details
 * (docs.stripe.com/payouts#payout-failures, /connect/payouts-connected-accounts).
 */
export async function refusePayout(tx: Tx, id: string): Promise<void> {
  const payout = await tx.lock('payout', id)
  if (payout?.status !== 'pending' && payout?.status !== 'paid') throw new Error(`payout ${id} cannot fail`)
  const accountId = accountOfPayout(payout)
  const movement = accountId
    ? null
    : await bookMovement(tx, {
        type: 'payout_failure',
        amountCents: payout.amount,
        feeCents: 0,
        source: id,
        description: 'PAYOUT FAILURE',
      })
  payout.status = 'failed'
  payout.failure_code = 'account_closed'
  payout.failure_message = 'The bank account has been closed.'
  payout.failure_balance_transaction = movement?.id ?? null
  await tx.save(payout)
  await emitOfPayout(tx, 'payout.failed', payout)
  const account = accountId ? await tx.lock('account', accountId) : null
  if (account) await takeOnboardingStep(tx, account, 'stop-bank')
}
