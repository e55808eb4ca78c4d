import 'server-only'
import { createHash } from 'node:crypto'

/** How late an event is sent, and whether it is sent twice. Stripe may do both (docs.stripe.com/webhooks). */
export type Disturbance = { waitMs: number; isTwice: boolean }

/** The longest delay. It is short, because tests wait for it, and longer than the request that caused the event. */
const MOST_WAIT_MS = 400

/**
 * Chooses how late an event is sent, in milliseconds, and whether it is sent twice. Events that are late by different
 * times arrive out of order.
 * @param seed the same seed chooses the same for the same event; with null, nothing is disturbed
 */
export function disturbance(seed: number | null, eventId: string): Disturbance {
  if (seed === null) return { waitMs: 0, isTwice: false }
  const hash = createHash('sha256').update(`${seed}:${eventId}`).digest()
  return { waitMs: hash.readUInt16BE(0) % MOST_WAIT_MS, isTwice: hash.readUInt8(2) % 3 === 0 }
}
