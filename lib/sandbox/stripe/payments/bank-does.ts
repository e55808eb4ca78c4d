import 'server-only'
import type Stripe from 'stripe'
import { ANSWER_SECONDS, fileDispute } from './disputes'
import { disputesOf } from './dispute-rules'
import { type AppealStep, escalateInquiry, fallDue, takeAppealStep } from './dispute-steps'
import { idOf } from '../ids'
import { refusePayout } from '../connect/payout-steps'
import type { Tx } from '../store'

/**
 * What a buyer's bank can do. It asks about a payment or disputes it, decides without asking for evidence, settles a
 * dispute before it begins, turns an inquiry into a dispute, or lets the deadline pass. `allow-appeal` is a decision
 * for the buyer that the platform can appeal. `appeal` files the appeal, which platforms do in Stripe's dashboard, and
 * the card network then grants or rejects it. A seller's bank can refuse a payout.
 */
export type BankStep =
  | 'inquire'
  | 'dispute'
  | 'lose-at-once'
  | 'lose-half-at-once'
  | 'prevent'
  | 'escalate'
  | 'fall-due'
  | AppealStep
  | 'refuse-payout'

async function chargeOf(tx: Tx, intentId: string): Promise<Stripe.Charge> {
  const intent = await tx.find('payment_intent', intentId)
  const charge = await tx.lock('charge', idOf(intent?.latest_charge) ?? '')
  if (!charge) throw new Error(`payment ${intentId} has no charge`)
  return charge
}

/**
 * Carries out a step of the bank for a payment: it files a dispute of the charge, or continues all its disputes. For
 * `refuse-payout`, `id` is that of a payout instead of a payment intent.
 */
export async function bankDoes(tx: Tx, id: string, step: BankStep): Promise<void> {
  if (step === 'refuse-payout') return refusePayout(tx, id)
  const charge = await chargeOf(tx, id)
  switch (step) {
    case 'inquire':
      return void (await fileDispute(tx, charge, { isInquiry: true }))
    case 'dispute':
      return void (await fileDispute(tx, charge))
    case 'lose-at-once':
      return void (await fileDispute(tx, charge, { isLostAtOnce: true }))
    case 'lose-half-at-once':
      return void (await fileDispute(tx, charge, { isLostAtOnce: true, amountCents: Math.floor(charge.amount / 2) }))
    case 'prevent':
      return void (await fileDispute(tx, charge, { isPrevented: true }))
    case 'escalate':
      for (const dispute of await disputesOf(tx, charge.id)) await escalateInquiry(tx, dispute.id, ANSWER_SECONDS)
      return
    case 'fall-due':
      for (const dispute of await disputesOf(tx, charge.id)) await fallDue(tx, dispute.id)
      return
    default:
      for (const dispute of await disputesOf(tx, charge.id)) await takeAppealStep(tx, dispute.id, step)
  }
}
