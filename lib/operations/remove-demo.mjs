/** The accounts of the demo (prisma/seed/demo-data.ts). An account whose address was changed is not one of them any more. */
export const DEMO_EMAILS = ['admin', 'mira', 'juno', 'ines', 'otto', 'tomas', 'lena'].map(
  (name) => `${name}@lastcall.example`,
)

/** What the stand-in for Stripe knows about the orders: payments, charges, their balance, refunds and transfers. */
const SANDBOX_OBJECTS = `
  WITH orders AS (SELECT "id", "stripePaymentIntentId" AS intent, "stripeChargeId" AS charge FROM "Order" WHERE "sellerId" = ANY($1))
  DELETE FROM "SandboxObject" s USING orders o
   WHERE s."json"->'metadata'->>'orderId' = o."id" OR s."json"->>'transfer_group' = o."id"
      OR o.intent IN (s."id", s."json"->>'payment_intent') OR o.charge IN (s."id", s."json"->>'source')`

/** Removes the accounts and all that belongs to them, in an order that the foreign keys allow. $1 is the list of ids. */
const REMOVALS = [
  SANDBOX_OBJECTS,
  `UPDATE "StoredObject" SET "claimedAt" = NULL WHERE "ownerId" = ANY($1)`,
  ...['Refund', 'Dispute', 'Download', 'PurchaseRecord'].map(
    (table) => `DELETE FROM "${table}" WHERE "orderId" IN (SELECT "id" FROM "Order" WHERE "sellerId" = ANY($1))`,
  ),
  `DELETE FROM "PayoutOffset" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "Transfer" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "Order" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "Hold" WHERE "dropId" IN (SELECT "id" FROM "Drop" WHERE "userId" = ANY($1))`,
  `DELETE FROM "ModerationReview" WHERE "dropId" IN (SELECT "id" FROM "Drop" WHERE "userId" = ANY($1))`,
  ...['Appeal', 'Strike', 'Subscription'].map((table) => `DELETE FROM "${table}" WHERE "userId" = ANY($1)`),
  `DELETE FROM "Drop" WHERE "userId" = ANY($1)`,
  `DELETE FROM "User" WHERE "id" = ANY($1)`,
]

/** An order that was paid at Stripe itself: the stand-in does not know its payment. */
const REALLY_PAID = `o."stripePaymentIntentId" IS NOT NULL
  AND NOT EXISTS (SELECT FROM "SandboxObject" s WHERE s."id" = o."stripePaymentIntentId")`

/**
 * Removes the demo's accounts with everything they sold in the sandbox: all of it or nothing. An account that sold
 * something for real money stays, because its orders are somebody's receipts. The sweep removes the files afterwards.
 * @param {import('pg').Client} client
 * @returns {Promise<{ removed: string[], kept: string[] }>} addresses
 */
export async function removeDemo(client) {
  await client.query('BEGIN')
  try {
    /** @type {{ rows: { id: number, email: string, hasSold: boolean }[] }} */
    const { rows } = await client.query(
      `SELECT u."id", u."email",
              EXISTS (SELECT FROM "Order" o WHERE o."sellerId" = u."id" AND ${REALLY_PAID}) AS "hasSold"
         FROM "User" u WHERE u."email" = ANY($1) ORDER BY u."id" FOR UPDATE`,
      [DEMO_EMAILS],
    )
    const removable = rows.filter(({ hasSold }) => !hasSold)
    const ids = removable.map(({ id }) => id)
    for (const statement of REMOVALS) await client.query(statement, [ids])
    await client.query('COMMIT')
    const emailsOf = (/** @type {typeof rows} */ some) => some.map(({ email }) => email)
    return { removed: emailsOf(removable), kept: emailsOf(rows.filter(({ hasSold }) => hasSold)) }
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
