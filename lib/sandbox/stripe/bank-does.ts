import 'server-only'
import type Stripe from 'stripe'
import { ANSWER_SECONDS, fileDispute } from './disputes'
import { disputesOf } from './dispute-rules'
import { escalateInquiry, fallDue } from './dispute-steps'
import { idOf } from './ids'
import type { Tx } from './store'

/**
 * What a buyer's bank can do. It asks about a payment or disputes it, decides without asking for evidence, settles a
 * dispute before it begins, turns an inquiry into a dispute, or lets the deadline pass.
 */
export type BankStep =
  'inquire' | 'dispute' | 'lose-at-once' | 'lose-half-at-once' | 'prevent' | 'escalate' | 'fall-due'

async function chargeOf(tx: Tx, intentId: string): Promise<Stripe.Charge> {
  const intent = await tx.find('payment_intent', intentId)
  const charge = await tx.lock('charge', idOf(intent?.latest_charge) ?? '')
  if (!charge) throw new Error(`payment ${intentId} has no charge`)
  return charge
}

/** Carries out a step of the bank for a payment: it files a dispute of the charge, or continues all its disputes. */
export async function bankDoes(tx: Tx, intentId: string, step: BankStep): Promise<void> {
  const charge = await chargeOf(tx, intentId)
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
      for (const { id } of await disputesOf(tx, charge.id)) await escalateInquiry(tx, id, ANSWER_SECONDS)
      return
    case 'fall-due':
      for (const { id } of await disputesOf(tx, charge.id)) await fallDue(tx, id)
  }
}
