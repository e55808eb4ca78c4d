import 'server-only'
import type Stripe from 'stripe'
import { invalidRequest } from '../stripe-fault'
import { emit } from '../events/events'
import type { Tx } from '../store'

/** Returns the disputes of a charge, oldest first, and locks them. */
export async function disputesOf(tx: Tx, chargeId: string): Promise<Stripe.Dispute[]> {
  const rows = await tx.query<{ json: Stripe.Dispute }>(
    `SELECT "json" FROM "SandboxObject" WHERE "kind" = 'dispute' AND "json"->>'charge' = $1 ORDER BY "seq" FOR UPDATE`,
    [chargeId],
  )
  return rows.map(({ json }) => json)
}

/** Stripe refuses a refund of a disputed payment with one of several codes (docs.stripe.com/error-codes). */
const REFUSALS: Record<string, string> = {
  under_review: 'refund_disputed_payment',
  // Stripe does not document whether a payment can be refunded after its dispute was won, so the refund is refused.
  won: 'charge_not_refundable',
}

/**
 * Throws StripeFault if a dispute forbids a refund of this charge. An inquiry or a prevented dispute does not stop a
 * refund (docs.stripe.com/disputes/how-disputes-work).
 */
export async function requireUndisputed(tx: Tx, charge: Stripe.Charge): Promise<void> {
  const blocking = (await disputesOf(tx, charge.id)).find(
    ({ is_charge_refundable, status }) => !is_charge_refundable && status !== 'prevented',
  )
  if (!blocking) return
  throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
    code: REFUSALS[blocking.status] ?? 'charge_disputed',
  })
}

/** Closes the inquiries about a charge after a full refund. They can no longer become disputes that withdraw money. */
export async function closeRefundedInquiries(tx: Tx, charge: Stripe.Charge): Promise<void> {
  if (!charge.refunded) return
  for (const dispute of await disputesOf(tx, charge.id)) {
    if (!dispute.status.startsWith('warning_') || dispute.status === 'warning_closed') continue
    dispute.status = 'warning_closed'
    await tx.save(dispute)
    await emit(tx, 'charge.dispute.closed', dispute)
  }
}
