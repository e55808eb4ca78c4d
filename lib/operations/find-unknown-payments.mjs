import Stripe from 'stripe'

/** @import { Client } from 'pg' */

const DAYS_ASKED = 30
/** A younger payment may still be on its way: its event can take this long. */
const SECONDS_UNTIL_STUCK = 600
const MOST_FOUND = 10

/**
 * Asks Stripe for the payments of the last days and finds those that have no paid order here. It is the part of invariant I3
 * that the database cannot answer when the keys are real.
 * @param {Client} client
 * @param {string} secretKey
 * @returns {Promise<{ payment: string, order: string }[]>} the first of them
 */
export async function findUnknownPayments(client, secretKey) {
  const now = Math.floor(Date.now() / 1000)
  const created = { gte: now - DAYS_ASKED * 86_400, lte: now - SECONDS_UNTIL_STUCK }
  /** @type {Map<string, string>} from a payment to its order */
  const payments = new Map()
  for await (const intent of new Stripe(secretKey).paymentIntents.list({ created, limit: 100 })) {
    if (intent.status === 'succeeded' && intent.metadata.orderId) payments.set(intent.id, intent.metadata.orderId)
  }
  /** @type {{ rows: { id: string }[] }} */
  const { rows } = await client.query(
    'SELECT "stripePaymentIntentId" AS "id" FROM "Order" WHERE "paidAt" IS NOT NULL AND "stripePaymentIntentId" = ANY($1)',
    [[...payments.keys()]],
  )
  for (const { id } of rows) payments.delete(id)
  return [...payments].slice(0, MOST_FOUND).map(([payment, order]) => ({ payment, order }))
}
