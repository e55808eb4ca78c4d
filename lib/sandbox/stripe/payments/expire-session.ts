import 'server-only'
import type Stripe from 'stripe'
import { emit } from '../events/events'
import { idOf, unixSeconds } from '../ids'
import { cancelIntent, isCancelable } from './payment-intent-object'
import type { Store, Tx } from '../store'

const SWEEP_SIZE = 100

function isOverdue(session: Stripe.Checkout.Session, tx: Tx): boolean {
  return session.status === 'open' && session.expires_at <= unixSeconds(tx.now())
}

/** Expires a locked open session and cancels its unpaid payment intent. */
export async function expireSession(tx: Tx, session: Stripe.Checkout.Session): Promise<void> {
  session.status = 'expired'
  session.url = null
  await tx.save(session)
  const intentId = idOf(session.payment_intent)
  const intent = intentId && (await tx.lock('payment_intent', intentId))
  if (intent && isCancelable(intent)) await cancelIntent(tx, intent, 'automatic')
  await emit(tx, 'checkout.session.expired', session)
}

/** Reads a session. If its expiry time has passed, it is expired first. */
export async function findSession(tx: Tx, id: string): Promise<Stripe.Checkout.Session | null> {
  const session = await tx.find('checkout.session', id)
  return session && isOverdue(session, tx) ? lockSession(tx, id) : session
}

/** Reads a session like `findSession` and locks it. */
export async function lockSession(tx: Tx, id: string): Promise<Stripe.Checkout.Session | null> {
  const session = await tx.lock('checkout.session', id)
  if (session && isOverdue(session, tx)) await expireSession(tx, session)
  return session
}

/**
 * Expires up to 100 overdue sessions that nobody has read. Locked sessions may be about to be paid, so they wait for
 * the next run.
 * @returns how many sessions were expired.
 */
export async function expireOverdue(tx: Tx): Promise<number> {
  const rows = await tx.query<{ json: Stripe.Checkout.Session }>(
    `SELECT "json" FROM "SandboxObject"
     WHERE "kind" = 'checkout.session' AND "json"->>'status' = 'open' AND ("json"->>'expires_at')::bigint <= $1
     ORDER BY ("json"->>'expires_at')::bigint LIMIT ${SWEEP_SIZE} FOR UPDATE SKIP LOCKED`,
    [unixSeconds(tx.now())],
    'sandbox-overdue-sessions',
  )
  for (const { json } of rows) await expireSession(tx, json)
  return rows.length
}

/** Expires all overdue sessions, in transactions of a bounded size. */
export async function sweepOverdue(store: Store): Promise<void> {
  const origin = { id: null, idempotency_key: null }
  while ((await store.transaction(origin, expireOverdue)) === SWEEP_SIZE);
}
