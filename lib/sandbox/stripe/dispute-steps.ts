import 'server-only'
import type Stripe from 'stripe'
import { bookMovement } from './balance-transactions'
import { emit } from './events'
import { idOf, unixSeconds } from './ids'
import { doLater } from './do-later'
import { failRefund } from './refund-steps'
import type { Tx } from './store'

/** The fee for receiving a dispute is never returned. The fee for answering it is returned when the dispute is won. */
const DISPUTE_FEE_CENTS = 1_500
const ANSWER_FEE_CENTS = 1_500

/** Withdraws the disputed money and the fee from the platform's balance. `dispute` is changed and saved. */
export async function withdrawFunds(tx: Tx, dispute: Stripe.Dispute): Promise<void> {
  const movement = await bookMovement(tx, {
    type: 'adjustment',
    amountCents: -dispute.amount,
    feeCents: DISPUTE_FEE_CENTS,
    source: dispute.id,
    description: `Chargeback withdrawal for ${idOf(dispute.charge) ?? ''}`,
  })
  dispute.balance_transactions.push(movement)
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.funds_withdrawn', dispute)
  // A refund that is still pending fails now (`charge_for_pending_refund_disputed`).
  const pending = await tx.query<{ id: string }>(
    `SELECT "id" FROM "SandboxObject" WHERE "kind" = 'refund' AND "json" @> $1::jsonb`,
    [JSON.stringify({ charge: idOf(dispute.charge), status: 'pending' })],
  )
  for (const { id } of pending) await failRefund(tx, id, 'charge_for_pending_refund_disputed')
}

/**
 * Charges the fee for answering a dispute. The fee is not among the dispute's own balance transactions, of which there
 * are at most two.
 */
export async function chargeAnswer(tx: Tx, dispute: Stripe.Dispute): Promise<void> {
  await bookAnswerFee(tx, dispute, ANSWER_FEE_CENTS)
}

async function bookAnswerFee(tx: Tx, dispute: Stripe.Dispute, feeCents: number): Promise<void> {
  const description = 'Dispute countered fee'
  await bookMovement(tx, { type: 'adjustment', amountCents: 0, feeCents, source: dispute.id, description })
}

/** Closes a dispute with the bank's decision. After a won dispute, the money returns some time later. */
export async function decideDispute(tx: Tx, dispute: Stripe.Dispute, status: 'won' | 'lost'): Promise<void> {
  dispute.status = status
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.closed', dispute)
  if (status === 'won') await doLater(tx, dispute.id, 'funds-return')
}

/**
 * Returns the disputed money of a won dispute to the balance, without the fee for receiving the dispute
 * (docs.stripe.com/disputes/how-disputes-work).
 */
export async function returnFunds(tx: Tx, id: string): Promise<boolean> {
  const dispute = await tx.lock('dispute', id)
  if (!dispute || dispute.balance_transactions.length > 1) return true
  const movement = await bookMovement(tx, {
    type: 'adjustment',
    amountCents: dispute.amount,
    feeCents: 0,
    source: dispute.id,
    description: `Chargeback reversal for ${idOf(dispute.charge) ?? ''}`,
  })
  dispute.balance_transactions.push(movement)
  await tx.save(dispute)
  if (dispute.evidence_details.submission_count > 0) await bookAnswerFee(tx, dispute, -ANSWER_FEE_CENTS)
  await emit(tx, 'charge.dispute.funds_reinstated', dispute)
  return true
}

/**
 * Ends a dispute or an inquiry whose deadline has passed. A dispute that was not answered is lost. An inquiry closes
 * without a dispute, even if it was not answered.
 */
export async function fallDue(tx: Tx, id: string): Promise<boolean> {
  const dispute = await tx.lock('dispute', id)
  if (dispute?.status === 'needs_response') await decideDispute(tx, dispute, 'lost')
  if (dispute?.status.startsWith('warning_') && dispute.status !== 'warning_closed') {
    dispute.status = 'warning_closed'
    await tx.save(dispute)
    await emit(tx, 'charge.dispute.closed', dispute)
  }
  return true
}

/**
 * Turns an inquiry into a dispute on behalf of the bank, and withdraws the money.
 * @returns false when there is no open inquiry.
 */
export async function escalateInquiry(tx: Tx, id: string, answerSeconds: number): Promise<boolean> {
  const dispute = await tx.lock('dispute', id)
  if (!dispute?.status.startsWith('warning_') || dispute.status === 'warning_closed') return false
  const previous = { status: dispute.status }
  dispute.status = 'needs_response'
  dispute.is_charge_refundable = false
  dispute.evidence_details.due_by = unixSeconds(tx.now()) + answerSeconds
  dispute.evidence_details.submission_count = 0
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.updated', dispute, previous)
  await withdrawFunds(tx, dispute)
  await tx.query(`DELETE FROM "SandboxObject" WHERE "id" = $1`, [`${id}~dispute-falls-due`])
  await doLater(tx, id, 'dispute-falls-due', dispute.evidence_details.due_by)
  return true
}
