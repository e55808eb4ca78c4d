import 'server-only'
import type Stripe from 'stripe'
import { platformBalance } from '../connect/balance'
import { bookMovement } from './balance-transactions'
import { closeRefundedInquiries } from './dispute-rules'
import { emit } from '../events/events'
import { idOf } from '../ids'
import type { Tx } from '../store'

/** Deducts the refunded money from the platform's balance. Changes `refund`, which the caller saves. */
export async function takeFromBalance(tx: Tx, refund: Stripe.Refund): Promise<void> {
  const movement = await bookMovement(tx, {
    type: 'refund',
    amountCents: -refund.amount,
    feeCents: 0,
    source: refund.id,
    description: 'REFUND FOR CHARGE',
  })
  refund.balance_transaction = movement.id
}

/**
 * Adds the bank's reference to a refund. Stripe reports the reference in a separate event, just after the refund has
 * succeeded.
 */
export async function addReference(tx: Tx, refund: Stripe.Refund): Promise<void> {
  const { destination_details } = refund
  refund.destination_details = {
    type: 'card',
    card: { reference: '0000000000000000', reference_status: 'available', type: 'refund' },
  }
  await tx.save(refund)
  await emit(tx, 'refund.updated', refund, { destination_details })
}

/**
 * Completes a refund if it is still pending, and sends its event. Always returns true, because the recorded step
 * (`doLater`) is then done.
 */
export async function succeedRefund(tx: Tx, id: string): Promise<boolean> {
  const refund = await tx.lock('refund', id)
  if (refund?.status !== 'pending') return true
  const previous = { status: refund.status }
  refund.status = 'succeeded'
  delete refund.pending_reason
  await takeFromBalance(tx, refund)
  await tx.save(refund)
  await emit(tx, 'refund.updated', refund, previous)
  const charge = await tx.find('charge', idOf(refund.charge) ?? '')
  if (charge) await closeRefundedInquiries(tx, charge)
  return true
}

/**
 * Completes a refund that waits for the platform's balance (docs.stripe.com/refunds). Returns false while the balance
 * is too small, so that the recorded step is tried again.
 */
export async function fundRefund(tx: Tx, id: string): Promise<boolean> {
  const refund = await tx.find('refund', id)
  if (refund?.status === 'pending' && refund.amount > (await platformBalance(tx)).available) return false
  return succeedRefund(tx, id)
}

/**
 * Marks a refund as failed. If it had succeeded, its money returns to the platform's balance (docs.stripe.com/refunds).
 * Stripe does not document whether the charge can then be refunded again, so `amount_refunded` stays and a second
 * refund is refused. With the default reason, returns false while the refund is still pending, so that the recorded
 * step is tried again: the bank rejects a refund only after it has succeeded.
 */
export async function failRefund(tx: Tx, id: string, reason = 'expired_or_canceled_card'): Promise<boolean> {
  const refund = await tx.lock('refund', id)
  if (refund?.status === 'pending' && reason === 'expired_or_canceled_card') return false
  if (!refund || refund.status === 'failed') return true
  const previous = { status: refund.status }
  if (refund.status === 'succeeded') {
    const movement = await bookMovement(tx, {
      type: 'refund_failure',
      amountCents: refund.amount,
      feeCents: 0,
      source: refund.id,
      description: 'REFUND FAILURE',
    })
    refund.failure_balance_transaction = movement.id
  }
  refund.status = 'failed'
  refund.failure_reason = reason
  delete refund.pending_reason
  await tx.save(refund)
  await emit(tx, 'refund.updated', refund, previous)
  await emit(tx, 'refund.failed', refund, previous)
  return true
}
