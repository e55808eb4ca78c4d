import 'server-only'
import type Stripe from 'stripe'
import type { StripeErrorBody } from '../stripe-fault'
import { lockSession } from '../payments/expire-session'
import type { CheckoutPlan } from '../objects'
import { answerPending, paySession, type PayResult } from '../payments/pay-session'
import type { Tx } from '../store'
import type { SentFields } from './read-sent-body'
import { checkPayFields, needsOf, type PayFieldError } from './pay-fields'

type Shown = { session: Stripe.Checkout.Session; plan: CheckoutPlan }

/** The result of a request to pay, or of the cardholder's answer to the bank. */
export type PayOutcome =
  | { kind: 'unknown' }
  | ({ kind: 'expired' | 'paid' | 'asks-first' } & Shown)
  | ({ kind: 'invalid'; errors: PayFieldError[] } & Shown)
  | ({ kind: 'declined'; error: StripeErrorBody } & Shown)

/** Pays the session with the sent fields. Locks the session, so that two requests cannot charge it twice. */
export async function pay(tx: Tx, id: string, sent: SentFields): Promise<PayOutcome> {
  const session = await lockSession(tx, id)
  const plan = session && (await tx.find('~checkout_plan', `${session.id}~plan`))
  if (!plan) return { kind: 'unknown' }
  const shown = { session, plan }
  if (session.status === 'complete') return { kind: 'paid', ...shown }
  if (session.status !== 'open') return { kind: 'expired', ...shown }
  if (sent.confirm !== undefined && sent.cardNumber === undefined) {
    const answered = await answerPending(tx, session, plan, sent.confirm === 'true')
    if (answered) return toOutcome(answered, shown)
  }
  const checked = checkPayFields(sent, needsOf(session), tx.now())
  if (!checked.ok) return { kind: 'invalid', errors: checked.errors, ...shown }
  const { card, buyer } = checked.input
  return toOutcome(await paySession(tx, session, plan, card, buyer, sent.confirm === 'true'), shown)
}

function toOutcome(result: PayResult, shown: Shown): PayOutcome {
  return result.kind === 'declined'
    ? { kind: 'declined', error: result.error, ...shown }
    : { kind: result.kind, ...shown }
}
