/**
 * The email addresses of the demo's accounts (prisma/seed/demo-data.ts). An account whose address was changed no longer
 * counts as an account of the demo.
 */
export const DEMO_EMAILS = ['admin', 'mira', 'juno', 'ines', 'otto', 'tomas', 'lena'].map(
  (name) => `${name}@lastcall.example`,
)

/** Removes the objects that the stand-in for Stripe has for the orders, such as payments, refunds and transfers. */
const SANDBOX_OBJECTS = `
  WITH orders AS (SELECT "id", "stripePaymentIntentId" AS intent, "stripeChargeId" AS charge FROM "Order" WHERE "sellerId" = ANY($1))
  DELETE FROM "SandboxObject" s USING orders o
   WHERE s."json"->'metadata'->>'orderId' = o."id" OR s."json"->>'transfer_group' = o."id"
      OR o.intent IN (s."id", s."json"->>'payment_intent') OR o.charge IN (s."id", s."json"->>'source')`

/** Statements that remove the accounts and all their data, in an order that the foreign keys allow. $1 are the ids. */
const REMOVALS = [
  SANDBOX_OBJECTS,
  `UPDATE "StoredObject" SET "claimedAt" = NULL WHERE "ownerId" = ANY($1)`,
  ...[
    'Refund',
    'Dispute',
    'Download',
    'PurchaseRecord',
    'EditionNumber',
    'DropKey',
    'ShippingDelay',
    'AddressChange',
  ].map((table) => `DELETE FROM "${table}" WHERE "orderId" IN (SELECT "id" FROM "Order" WHERE "sellerId" = ANY($1))`),
  `DELETE FROM "PayoutOffset" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "DebtPayment" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "Transfer" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "Order" WHERE "sellerId" = ANY($1)`,
  `DELETE FROM "Hold" WHERE "dropId" IN (SELECT "id" FROM "Drop" WHERE "userId" = ANY($1))`,
  `DELETE FROM "ModerationReview" WHERE "dropId" IN (SELECT "id" FROM "Drop" WHERE "userId" = ANY($1))`,
  ...['Appeal', 'Strike', 'Subscription'].map((table) => `DELETE FROM "${table}" WHERE "userId" = ANY($1)`),
  `DELETE FROM "Drop" WHERE "userId" = ANY($1)`,
  `DELETE FROM "User" WHERE "id" = ANY($1)`,
]

/** The condition for an order that was paid at Stripe itself, because the stand-in does not have its payment. */
const REALLY_PAID = `o."stripePaymentIntentId" IS NOT NULL
  AND NOT EXISTS (SELECT FROM "SandboxObject" s WHERE s."id" = o."stripePaymentIntentId")`

/**
 * Removes the demo's accounts with everything they sold in the sandbox, in one transaction. An account that sold
 * something for real money is kept, because buyers need its orders as receipts. A sweep removes the files later.
 * @param {import('pg').Client} client
 * @returns {Promise<{ removed: string[], kept: string[] }>} the email addresses of the accounts
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
