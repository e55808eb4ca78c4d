import 'server-only'
import type { Objects, Stored } from '../objects'
import { attemptPayment } from './attempt-payment'
import { createIntent } from './payment-intent-object'
import { settleCharge } from './charges'
import { createCard } from './payment-methods'
import { TEST_CARDS } from './cards'
import type { Tx } from '../store'

type PastPayment = {
  amountCents: number
  paidAt: Date
  description: string
  metadata: Record<string, string>
  buyer: { name: string; email: string }
}

/**
 * Builds the objects that Stripe would have for an earlier card payment: its intent, charge, card and balance
 * transaction. Stores nothing and sends no events. The caller stores the returned objects.
 */
export async function pastPayment(
  payment: PastPayment,
): Promise<{ intentId: string; chargeId: string; objects: Stored[] }> {
  const { amountCents, paidAt, description, metadata, buyer } = payment
  const objects = new Map<string, Stored>()
  const keep = async (object: Stored) =>
    void (['event', '~later'].includes(object.object) || objects.set(object.id, object))
  const find: Tx['find'] = async (kind, id) => (objects.get(id) as Objects[typeof kind] | undefined) ?? null
  const tx: Tx = {
    now: () => paidAt,
    origin: { id: null, idempotency_key: null },
    query: async () => [],
    find,
    lock: find,
    findAny: async (id) => objects.get(id) ?? null,
    insert: keep,
    save: keep,
    wants: () => false,
    deliver: () => {},
    keep: () => {},
    undoable: (run) => run(),
  }
  const billing = { address: null, email: buyer.email, name: buyer.name, phone: null, tax_id: null }
  const card = { digits: TEST_CARDS[0]!.number, expMonth: 12, expYear: paidAt.getUTCFullYear() + 4 }
  const intent = await createIntent(tx, { amount: amountCents, customer: null, description, metadata })
  const attempt = await attemptPayment(tx, intent, await createCard(tx, card, billing), { isAuthenticated: false })
  if (attempt.kind !== 'succeeded') throw new Error(`the past payment did not succeed: ${attempt.kind}`)
  await settleCharge(tx, attempt.charge.id)
  return { intentId: intent.id, chargeId: attempt.charge.id, objects: [...objects.values()] }
}
