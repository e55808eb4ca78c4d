// The money invariants: conditions that must be true in the database at every moment. `npm run doctor` checks them. The
// tests that move money check them after each test.

import { saleInvariants } from './sale-invariants.mjs'

/**
 * @typedef {{ name: string, holds: string, sql: string }} Invariant `holds` says in words what must be true; `sql`
 *   selects the breaches
 * @typedef {{ name: string, holds: string, breaches: object[] }} Finding
 * @typedef {{ query: (text: string) => Promise<{ rows: object[] }> }} Database
 */

const MINUTES_UNTIL_STUCK = 10
/** The sweeps run every fifteen seconds, so work that is still undone after two minutes means that they fail. */
const MINUTES_UNTIL_SWEPT = 2
/** The maximum number of breaches per invariant. A few are enough to find the cause; more would fill the screen. */
const MAX_BREACHES = 10

/** @type {Invariant[]} */
const INVARIANTS = [
  {
    name: 'I1',
    holds: 'stock: sold and held are what the holds say, within the quantity',
    sql: `SELECT d."id", d."quantity", d."sold", d."held",
                 coalesce(h."sold", 0)::int AS "soldByHolds", coalesce(h."held", 0)::int AS "heldByHolds"
            FROM "Drop" d LEFT JOIN (
              SELECT "dropId", "run", sum("quantity") FILTER (WHERE "state" = 'sold') AS "sold",
                     sum("quantity") FILTER (WHERE "state" = 'held') AS "held"
                FROM "Hold" GROUP BY 1, 2) h ON h."dropId" = d."id" AND h."run" = d."run"
           WHERE d."sold" < 0 OR d."held" < 0 OR d."sold" + d."held" > d."quantity"
              OR (EXISTS (SELECT 1 FROM "Hold" x WHERE x."dropId" = d."id")
                  AND (d."sold" <> coalesce(h."sold", 0) OR d."held" <> coalesce(h."held", 0)))`,
  },
  {
    name: 'I1',
    holds: 'options: the stock of a drop is the sum of its values, and the stock of each value is what its holds say',
    // Each value of an open edition has the cap of the drop as its quantity.
    sql: `SELECT d."id", d."quantity", d."sold", d."held", v."quantity" AS "ofValues", v."sold" AS "soldOfValues", v."held" AS "heldOfValues"
            FROM "Drop" d JOIN (
              SELECT "dropId", sum("quantity")::int AS "quantity", min("quantity") AS "least", max("quantity") AS "most", sum("sold")::int AS "sold", sum("held")::int AS "held"
                FROM "OptionValue" GROUP BY 1) v ON v."dropId" = d."id"
           WHERE d."optionName" IS NULL OR v."sold" <> d."sold" OR v."held" <> d."held"
              OR (CASE WHEN d."isOpenEdition" THEN v."least" <> d."quantity" OR v."most" <> d."quantity" ELSE v."quantity" <> d."quantity" END)
          UNION ALL
          SELECT d."id", v."quantity", v."sold", v."held", NULL, coalesce(h."sold", 0)::int, coalesce(h."held", 0)::int
            FROM "OptionValue" v JOIN "Drop" d ON d."id" = v."dropId" LEFT JOIN (
              SELECT "valueId", "run", sum("quantity") FILTER (WHERE "state" = 'sold') AS "sold",
                     sum("quantity") FILTER (WHERE "state" = 'held') AS "held"
                FROM "Hold" WHERE "valueId" IS NOT NULL GROUP BY 1, 2) h ON h."valueId" = v."id" AND h."run" = d."run"
           WHERE v."sold" < 0 OR v."held" < 0 OR v."sold" + v."held" > v."quantity"
              OR (EXISTS (SELECT 1 FROM "Hold" x WHERE x."dropId" = d."id")
                  AND (v."sold" <> coalesce(h."sold", 0) OR v."held" <> coalesce(h."held", 0)))
          UNION ALL
          SELECT d."id", d."quantity", d."sold", d."held", NULL, NULL, NULL FROM "Drop" d
           WHERE d."optionName" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "OptionValue" v WHERE v."dropId" = d."id")`,
  },
  {
    name: 'I1',
    holds: 'numbered drops: each run has given as many numbers as it has sold units, starting at 1 and without a gap',
    sql: `SELECT r."dropId", r."run", r."sold", n."given", n."last" FROM "Drop" d JOIN "DropRun" r ON r."dropId" = d."id", LATERAL (
                   SELECT count(*)::int AS "given", coalesce(max(e."number"), 0) AS "last" FROM "EditionNumber" e
                    WHERE e."dropId" = d."id" AND e."run" = r."run") n
           WHERE d."isNumbered" AND (n."given" <> r."sold" OR n."last" <> r."sold")
          UNION ALL
          SELECT h."dropId", h."run", o."quantity", n."given", NULL FROM "Drop" d JOIN "Order" o ON o."dropId" = d."id"
            JOIN "Hold" h ON h."id" = o."holdId", LATERAL (
                   SELECT count(*)::int AS "given" FROM "EditionNumber" e WHERE e."orderId" = o."id") n
           WHERE d."isNumbered" AND n."given" <> CASE WHEN h."state" = 'sold' THEN o."quantity" ELSE 0 END`,
  },
  {
    name: 'I1',
    holds: 'keys: each sold unit has its key, unless it was paid back, and there is a free key for each unsold unit',
    // A closed account keeps no free keys, and its drops are hidden. An open dispute decides whether an order needs its
    // keys.
    sql: `SELECT d."id"::text, d."quantity" - d."sold" AS "units", k."free" FROM "Drop" d, LATERAL (
                   SELECT count(*)::int AS "free" FROM "DropKey" k WHERE k."dropId" = d."id" AND k."orderId" IS NULL) k
           WHERE d."keysGiven" IS NOT NULL AND d."hiddenAt" IS NULL AND k."free" < d."quantity" - d."sold"
          UNION ALL
          SELECT o."id", o."quantity", k."given" FROM "Drop" d JOIN "Order" o ON o."dropId" = d."id", LATERAL (
                   SELECT count(*)::int AS "given" FROM "DropKey" k WHERE k."orderId" = o."id" AND k."voidedAt" IS NULL) k
           WHERE d."keysGiven" IS NOT NULL AND (k."given" > o."quantity" OR (o."paidAt" IS NULL AND k."given" > 0)
              OR (o."paidAt" IS NOT NULL AND o."status" <> 'disputed' AND k."given" < o."quantity" - LEAST(o."quantity", (
                   o."refundedCents" + coalesce((SELECT sum(x."amountCents") FROM "Dispute" x WHERE x."orderId" = o."id" AND x."status" = 'lost'), 0)
                 ) / o."unitPriceCents")))`,
  },
  {
    name: 'I1',
    holds: 'discount codes: the recorded uses and discounts of each code match its orders',
    sql: `SELECT c."id", c."maxUses", c."used", c."discountedCents"::text, coalesce(h."used", 0)::int AS "usedByHolds",
                 coalesce(h."cents", 0)::text AS "centsOfOrders"
            FROM "DiscountCode" c LEFT JOIN (
              SELECT h."codeId", count(*) FILTER (WHERE h."state" IN ('held', 'sold') OR h."reason" = 'refunded') AS "used",
                     count(*) FILTER (WHERE h."state" = 'held') AS "held",
                     sum(o."discountCents") FILTER (WHERE h."state" = 'sold' OR h."reason" = 'refunded') AS "cents"
                FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id" WHERE h."codeId" IS NOT NULL GROUP BY 1) h ON h."codeId" = c."id"
           WHERE c."used" <> coalesce(h."used", 0) OR c."held" <> coalesce(h."held", 0) OR c."used" > c."maxUses" OR c."discountedCents" <> coalesce(h."cents", 0)
          UNION ALL
          SELECT h."codeId", NULL, NULL, NULL, o."discountCents", o."discountCode" FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
           WHERE (h."codeId" IS NULL) <> (o."discountCode" IS NULL) OR o."discountCents" % o."quantity" <> 0`,
  },
  {
    name: 'I1',
    holds: 'orders: every paid order has its units, and no unit is sold without a payment',
    sql: `SELECT o."id", o."status"::text, o."paidAt", h."state"::text AS "hold", h."reason"
            FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
           WHERE (h."state" = 'sold' AND o."paidAt" IS NULL)
              OR (h."state" = 'held' AND o."status" <> 'pending')
              OR (h."state" <> 'sold' AND o."status" IN ('paid', 'shipped', 'delivered', 'done')
                  AND h."reason" IS DISTINCT FROM 'refunded')
              OR o."quantity" - h."quantity" NOT BETWEEN 0 AND (
                   SELECT coalesce(sum(r."restockUnits"), 0) FROM "Refund" r WHERE r."orderId" = o."id")`,
  },
  {
    name: 'I2',
    holds: 'one payment per order: no session or payment intent belongs to two orders',
    sql: `SELECT "stripePaymentIntentId" AS "payment", count(*)::int FROM "Order"
           WHERE "stripePaymentIntentId" IS NOT NULL GROUP BY 1 HAVING count(*) > 1
          UNION ALL SELECT "stripeSessionId", count(*)::int FROM "Order"
           WHERE "stripeSessionId" IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
  },
  {
    name: 'I3',
    holds: 'every payment has its order, and every paid order its payment',
    // This covers the sandbox, whose objects are in this database. With real keys, findUnknownPayments() reads from
    // Stripe.
    sql: `SELECT s."id" AS "payment", o."id" AS "order", o."status"::text
            FROM "SandboxObject" s LEFT JOIN "Order" o ON o."id" = s."json"->'metadata'->>'orderId'
           WHERE s."kind" = 'payment_intent' AND s."json"->>'status' = 'succeeded'
             AND s."json"->'metadata' ? 'orderId' AND s."updatedAt" < now() - interval '${MINUTES_UNTIL_STUCK} minutes'
             AND (o."paidAt" IS NULL OR o."stripePaymentIntentId" IS DISTINCT FROM s."id")
             AND (s."json"->>'amount_received')::int > coalesce((
                    SELECT sum((r."json"->>'amount')::int) FROM "SandboxObject" r WHERE r."kind" = 'refund'
                       AND r."json"->>'payment_intent' = s."id" AND r."json"->>'status' = 'succeeded'), 0)
          UNION ALL SELECT o."stripePaymentIntentId", o."id", o."status"::text FROM "Order" o
           WHERE o."paidAt" IS NOT NULL AND o."stripePaymentIntentId" IS NOT NULL
             AND EXISTS (SELECT 1 FROM "SandboxObject" s WHERE s."id" = o."stripePaymentIntentId"
                            AND (s."json"->>'status' <> 'succeeded'
                                 OR (s."json"->>'amount_received')::int <> o."amountCents"))`,
  },
  {
    name: 'I4',
    holds: 'money adds up: amount = platform fee + payout, in whole cents',
    sql: `SELECT "id", "amountCents", "platformFeeCents", "sellerPayoutCents" FROM "Order"
           WHERE "amountCents" <> "platformFeeCents" + "sellerPayoutCents" OR "platformFeeCents" < 0
              OR "sellerPayoutCents" < 0 OR "amountCents" <> "unitPriceCents" * "quantity" + "shippingCents"`,
  },
  {
    name: 'I4',
    holds: 'a transfer is the payout less the card fee, once the fee is known',
    sql: `SELECT o."id", o."sellerPayoutCents", o."cardFeeCents", t."amountCents" AS "payout", t."deductedCents"
            FROM "Order" o JOIN "Transfer" t ON t."orderId" = o."id"
           WHERE t."amountCents" <> GREATEST(0, o."sellerPayoutCents" - coalesce(o."cardFeeCents", 0))`,
  },
  {
    name: 'I5',
    holds: 'nothing is stuck: no hold past its end, no refund that was not sent to Stripe without waiting for money',
    sql: `SELECT "id", "expiresAt" AS "since" FROM "Hold"
           WHERE "state" = 'held' AND "expiresAt" < now() - interval '${MINUTES_UNTIL_SWEPT} minutes'
          UNION ALL SELECT "id", "createdAt" FROM "Refund"
           WHERE "state" = 'pending' AND "stripeRefundId" IS NULL
             AND "createdAt" < now() - interval '${MINUTES_UNTIL_STUCK} minutes'
             -- The refund of a closed account may wait for a week until the seller's account has returned the money.
             AND NOT ("requestedBy" = 'closure' AND "isTakenBackFirst" AND "takenBackAt" IS NULL
                      AND "createdAt" > now() - interval '8 days')`,
  },
  {
    name: 'I6',
    holds: 'no drop stays unarchived two minutes after its end',
    sql: `SELECT "id", "endTime" FROM "Drop" WHERE "isActive" AND "archivedAt" IS NULL
             AND "endTime" < now() - interval '${MINUTES_UNTIL_SWEPT} minutes'
             AND "createdAt" < now() - interval '${MINUTES_UNTIL_SWEPT} minutes'`,
  },
  {
    name: 'I6',
    holds: 'no seller has more drops running than the plan allows',
    // Drops that a seller started while on Pro run to their end after a change to the free plan, and an administrator
    // may restore and resume any number of drops.
    sql: `SELECT u."id", u."plan"::text, count(*)::int AS "running"
            FROM "Drop" d JOIN "User" u ON u."id" = d."userId"
           WHERE d."isActive" AND d."archivedAt" IS NULL AND d."hiddenAt" IS NULL AND d."endTime" > now()
             AND NOT u."isAdmin"
             AND NOT EXISTS (SELECT 1 FROM "AuditEntry" a WHERE a."targetType" = 'drop' AND a."targetId" = d."id"::text
                                AND (a."action" = 'drop.restore' OR a."after"->>'isActive' = 'true'))
           GROUP BY u."id"
          HAVING count(*) > CASE WHEN u."plan" = 'pro'
                    OR EXISTS (SELECT 1 FROM "Subscription" s WHERE s."userId" = u."id")
                    OR EXISTS (SELECT 1 FROM "AuditEntry" a WHERE a."targetType" = 'user'
                                  AND a."targetId" = u."id"::text AND a."before"->>'plan' = 'pro')
                  THEN 3 ELSE 1 END`,
  },
  {
    name: 'I7',
    holds: 'no Stripe event waits for longer than five minutes',
    sql: `SELECT "id", "type", "receivedAt" FROM "WebhookEvent"
           WHERE "handledAt" IS NULL AND "receivedAt" < now() - interval '5 minutes'`,
  },
  {
    name: 'I8',
    holds: 'neither the refunds nor the payout of an order exceed what was paid in',
    sql: `SELECT o."id", o."amountCents", o."refundedCents", coalesce(r."sum", 0)::int AS "refunds",
                 t."amountCents" AS "transfer", t."deductedCents"
            FROM "Order" o LEFT JOIN "Transfer" t ON t."orderId" = o."id"
            LEFT JOIN (SELECT "orderId", sum("amountCents") AS "sum" FROM "Refund"
                        WHERE "state" IN ('pending', 'succeeded') AND "requestedBy" <> 'mismatch' GROUP BY 1) r ON r."orderId" = o."id"
           WHERE o."refundedCents" > o."amountCents" OR coalesce(r."sum", 0) > o."amountCents"
              -- An order that got no unit counts as refunded, even while its refund, or a part of it that someone made in
              -- Stripe's dashboard, has failed and is still owed.
              OR (o."refundedCents" > coalesce(r."sum", 0) AND NOT EXISTS (
                   SELECT FROM "Refund" f JOIN "Refund" s ON s."orderId" = f."orderId" AND s."requestedBy" = 'system'
                    WHERE f."orderId" = o."id" AND f."state" = 'failed' AND f."requestedBy" IN ('system', 'stripe')))
              OR coalesce(t."amountCents", 0) - coalesce(t."deductedCents", 0) > o."sellerPayoutCents"`,
  },
  {
    name: 'I8',
    holds: "a debt was paid by what is kept back from the same seller's other payouts and by the seller's payments",
    sql: `SELECT t."id", t."withheldCents", t."recoveredCents", coalesce(w."sum", 0)::int AS "keptBack",
                 coalesce(r."sum", 0)::int AS "paid"
            FROM "Transfer" t
            LEFT JOIN (SELECT "fromTransferId" AS "id", sum("amountCents") AS "sum" FROM "PayoutOffset" GROUP BY 1) w
                   ON w."id" = t."id"
            LEFT JOIN (SELECT "id", sum("amountCents") AS "sum"
                         FROM (SELECT "forTransferId" AS "id", "amountCents" FROM "PayoutOffset"
                               UNION ALL SELECT "transferId", "amountCents" FROM "DebtPayment") paid GROUP BY 1) r
                   ON r."id" = t."id"
           WHERE t."withheldCents" <> coalesce(w."sum", 0) OR t."recoveredCents" <> coalesce(r."sum", 0)
              OR EXISTS (SELECT 1 FROM "PayoutOffset" p JOIN "Transfer" f ON f."id" = p."forTransferId"
                          WHERE p."fromTransferId" = t."id" AND f."sellerId" <> t."sellerId")
              OR EXISTS (SELECT 1 FROM "DebtPayment" p WHERE p."transferId" = t."id" AND p."sellerId" <> t."sellerId")`,
  },
  {
    name: 'I9',
    holds: "the admin panel's figures: the tallies add up to the rows",
    sql: `SELECT f."name", f."rows"::float8, coalesce(t."sum", 0)::float8 AS "tallies"
            FROM (SELECT 'users' AS "name", count(*) AS "rows" FROM "User" WHERE "deletedAt" IS NULL
                  UNION ALL SELECT 'orders', count(*) FROM "Order" WHERE "paidAt" IS NOT NULL
                  UNION ALL SELECT 'views', coalesce(sum("views"), 0) FROM "Drop") f
            LEFT JOIN (SELECT "name", sum("amount") AS "sum" FROM "Tally" GROUP BY 1) t ON t."name" = f."name"
           WHERE f."rows" <> coalesce(t."sum", 0)`,
  },
  {
    name: 'I11',
    holds: 'a late order is refunded once and not shipped, and every question about a delay gets its answer in time',
    sql: `SELECT o."id", 'shipped' AS "problem" FROM "Order" o WHERE o."lateRefundAt" IS NOT NULL AND o."shippedAt" IS NOT NULL
          UNION ALL SELECT r."orderId", 'refunded twice' FROM "Refund" r
           WHERE r."requestedBy" = 'late' AND r."state" <> 'failed' GROUP BY 1
          -- When a refund that the late refund left out has failed, another late refund returns its amount.
          HAVING count(*) > 1 + (SELECT count(*) FROM "Refund" f
                   WHERE f."orderId" = r."orderId" AND f."state" = 'failed' AND f."requestedBy" <> 'late')
          UNION ALL SELECT s."orderId", 'not refunded' FROM "ShippingDelay" s JOIN "Order" o ON o."id" = s."orderId"
           WHERE s."answeredAt" IS NULL AND s."answerBy" < now() - interval '${MINUTES_UNTIL_STUCK} minutes'
             AND o."status" = 'paid' AND o."lateRefundAt" IS NULL AND o."refundedCents" < o."amountCents"
             -- Without a unit that is left to ship, an order is never late.
             AND (o."shippingCents" = 0 OR o."refundedCents" - LEAST(o."refundedCents", coalesce((
                    SELECT sum(r."shippingCents") FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'succeeded'), 0))
                    < o."unitPriceCents" * o."quantity")`,
  },
  {
    name: 'I10',
    holds: 'a payout that was paid by hand got exactly the payments that are recorded for it',
    sql: `SELECT t."id", coalesce(t."sentCents", 0) + t."sentAgainCents" AS "paid", coalesce(h."sum", 0)::int AS "recorded"
            FROM "Transfer" t
            LEFT JOIN (SELECT "transferId" AS "id", sum("amountCents") AS "sum" FROM "HandPayment" GROUP BY 1) h
                   ON h."id" = t."id"
           WHERE (t."paidByHandAt" IS NOT NULL OR h."sum" IS NOT NULL)
             AND (t."paidByHandAt" IS NULL OR coalesce(t."sentCents", 0) + t."sentAgainCents" <> coalesce(h."sum", 0))`,
  },
]

/**
 * Checks every invariant.
 * @param {Database} database
 * @returns {Promise<Finding[]>} one finding for each invariant, with its first breaches
 */
export async function checkInvariants(database) {
  /** @type {Finding[]} */
  const findings = []
  for (const { name, holds, sql } of [...INVARIANTS, ...saleInvariants]) {
    const { rows } = await database.query(`SELECT * FROM (${sql}) breach LIMIT ${MAX_BREACHES}`)
    findings.push({ name, holds, breaches: rows })
  }
  return findings
}
