/**
 * @import { Client } from 'pg'
 * @import Stripe from 'stripe'
 */

const DAYS_READ = 30
/** Younger payments are not checked, because their event may take this long to arrive. */
const SECONDS_UNTIL_STUCK = 600
const MAX_FOUND = 10

/**
 * Reads the payments of the last 30 days from Stripe, except for the newest, and finds those without a paid order in
 * the database. This is the part of invariant I3 that the database alone cannot check when the keys are real.
 * @param {Client} client
 * @param {Stripe} stripe
 * @returns {Promise<{ payment: string, order: string }[]>} the first ten of these payments
 */
export async function findUnknownPayments(client, stripe) {
  const now = Math.floor(Date.now() / 1000)
  const created = { gte: now - DAYS_READ * 86_400, lte: now - SECONDS_UNTIL_STUCK }
  /** @type {Map<string, string>} from a payment to its order */
  const payments = new Map()
  for await (const intent of stripe.paymentIntents.list({ created, limit: 100 })) {
    if (intent.status === 'succeeded' && intent.metadata.orderId) payments.set(intent.id, intent.metadata.orderId)
  }
  /** @type {{ rows: { id: string }[] }} */
  const { rows } = await client.query(
    'SELECT "stripePaymentIntentId" AS "id" FROM "Order" WHERE "paidAt" IS NOT NULL AND "stripePaymentIntentId" = ANY($1)',
    [[...payments.keys()]],
  )
  for (const { id } of rows) payments.delete(id)
  return [...payments].slice(0, MAX_FOUND).map(([payment, order]) => ({ payment, order }))
}
