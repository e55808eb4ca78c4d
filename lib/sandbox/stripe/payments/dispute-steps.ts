import 'server-only'
import type Stripe from 'stripe'
import { bookMovement } from './balance-transactions'
import { emit } from '../events/events'
import { idOf, unixSeconds } from '../ids'
import { doLater } from '../events/do-later'
import { failRefund } from './refund-steps'
import type { Tx } from '../store'

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
 * Ends a dispute or an inquiry whose deadline has passed. A dispute that was not answered, or whose decision was not
 * appealed, is lost. An inquiry closes without a dispute, even if it was not answered.
 */
export async function fallDue(tx: Tx, id: string): Promise<boolean> {
  const dispute = await tx.lock('dispute', id)
  if (dispute?.status === 'needs_response' || dispute?.status === 'appeal_needs_response')
    await decideDispute(tx, dispute, 'lost')
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

export type AppealStep = 'allow-appeal' | 'appeal' | 'grant-appeal' | 'reject-appeal'

/** How long a platform has to appeal. Stripe names the day in `due_by`. */
const APPEAL_SECONDS = 7 * 24 * 60 * 60

/** The status that a dispute must have before each step of an appeal. */
const BEFORE: Record<AppealStep, Stripe.Dispute.Status> = {
  'allow-appeal': 'under_review',
  appeal: 'appeal_needs_response',
  'grant-appeal': 'appeal_under_review',
  'reject-appeal': 'appeal_under_review',
}

/**
 * Takes a step of the appeal against a bank's decision (docs.stripe.com/disputes/arbitration). The disputed money stays
 * withdrawn until the card network has decided.
 * @throws Error when the dispute is not in the state before this step.
 */
export async function takeAppealStep(tx: Tx, id: string, step: AppealStep): Promise<void> {
  const dispute = await tx.lock('dispute', id)
  if (dispute?.status !== BEFORE[step]) throw new Error(`dispute ${id} allows no ${step}`)
  if (step === 'grant-appeal') return decideDispute(tx, dispute, 'won')
  if (step === 'reject-appeal') return decideDispute(tx, dispute, 'lost')
  const previous = { status: dispute.status }
  dispute.status = step === 'appeal' ? 'appeal_under_review' : 'appeal_needs_response'
  if (step === 'allow-appeal') {
    dispute.evidence_details.due_by = unixSeconds(tx.now()) + APPEAL_SECONDS
    await tx.query(`DELETE FROM "SandboxObject" WHERE "id" = $1`, [`${id}~dispute-falls-due`])
    await doLater(tx, id, 'dispute-falls-due', dispute.evidence_details.due_by)
  }
  await tx.save(dispute)
  await emit(tx, 'charge.dispute.updated', dispute, previous)
}
