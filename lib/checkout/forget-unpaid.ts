import 'server-only'
import type { Context } from '@/lib/infra/context'

/** SQL: whether nothing was ever paid for the order `o`, not even a payment that was refunded right away. */
const NEVER_PAID = `o."status" = 'expired' AND o."paidAt" IS NULL AND o."stripeChargeId" IS NULL
  AND NOT EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id")
  AND NOT EXISTS (SELECT 1 FROM "Dispute" x WHERE x."orderId" = o."id")`

/**
 * Removes what is known about people who did not buy, 30 days after the end of the drop's run: the copy of the page
 * with their network address, the key of their browser, their contact details, and the URL of their checkout. The rows
 * of the hold and the order stay without these, because the analytics and the recap count the rows. Paid orders keep
 * everything.
 * @returns the number of holds
 */
export async function forgetUnpaid({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'forget-unpaid',
    `WITH due AS (
       SELECT h."id", o."id" AS "orderId" FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
         JOIN "Drop" d ON d."id" = h."dropId"
         LEFT JOIN "DropRun" r ON r."dropId" = h."dropId" AND r."run" = h."run"
        WHERE h."state" = 'released' AND h."buyerKey" <> '' AND h."reason" IS DISTINCT FROM 'yielded'
          AND h."settledAt" < now() - interval '30 days'
          AND (CASE WHEN d."run" = h."run" THEN d."endTime" ELSE r."endTime" END) < now() - interval '30 days'
          AND ${NEVER_PAID}
        ORDER BY h."settledAt" LIMIT :limit FOR UPDATE OF h SKIP LOCKED
     ), records AS (
       DELETE FROM "PurchaseRecord" p USING due WHERE p."orderId" = due."orderId"
     ), orders AS (
       UPDATE "Order" o SET "checkoutUrl" = NULL, "buyerEmail" = NULL, "buyerName" = NULL, "buyerPhone" = NULL,
              "shipName" = NULL, "shipLine1" = NULL, "shipLine2" = NULL, "shipCity" = NULL, "shipState" = NULL,
              "shipPostalCode" = NULL, "shipCountry" = NULL, "billingCountry" = NULL, "mailboxKey" = NULL, "cardKey" = NULL
         FROM due WHERE o."id" = due."orderId"
     )
     UPDATE "Hold" h SET "buyerKey" = '', "originKey" = NULL, "claimKey" = NULL, "workId" = NULL FROM due WHERE h."id" = due."id" RETURNING h."id"`,
    { limit },
  )
  return rows.length
}
