import 'server-only'

/** The sum of the confirmed refunds of an order, in cents. */
const repaid = (order: string) => `COALESCE((
  SELECT sum(x."amountCents") FROM "Refund" x WHERE x."orderId" = ${order}."id" AND x."state" = 'succeeded'), 0)`

/** The amount of a payment that bought nothing, in cents; null for any other payment. */
const paidInVain = (order: string) => `(
  SELECT max(CASE x."requestedBy" WHEN 'system' THEN ${order}."amountCents" ELSE x."amountCents" END) FROM "Refund" x
   WHERE x."orderId" = ${order}."id" AND x."requestedBy" IN ('system', 'mismatch'))`

const isOpen = `(r."state" = 'pending' OR (r."state" = 'failed' AND r."paidByHandAt" IS NULL AND EXISTS (
  SELECT FROM "Order" p JOIN "User" s ON s."id" = p."sellerId" WHERE p."id" = r."orderId" AND COALESCE(
    ${repaid('p')} < ${paidInVain('p')},
    p."status" NOT IN ('refunded', 'disputed') AND (r."requestedBy" = 'closure' OR s."deletedAt" IS NOT NULL)))))`

/** The refunds that an administrator should look at, as parts of SQL statements. */
export const openRefundSql = {
  /**
   * Whether refund `r` is pending, or failed and still needs an administrator, because the platform owes it to the
   * buyer or its seller is gone. It needs nothing once it was paid in another way, in Stripe's dashboard or outside of
   * Stripe, or while a bank decides about the payment. Every other failed refund is up to the seller, who got an email
   * about it.
   */
  isOpen,
  /**
   * What is still owed to the buyer of order `o` after its refunds failed, in cents; 0 if no failed refund is open. A
   * payment that bought nothing is owed in full. Otherwise only the largest failed refund counts, because the others
   * may have been attempts to make the same refund.
   */
  owedCents: `COALESCE((
    SELECT LEAST(COALESCE(${paidInVain('o')}, max(r."amountCents")), COALESCE(${paidInVain('o')}, o."amountCents") - ${repaid('o')})
      FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'failed' AND ${isOpen} HAVING count(*) > 0), 0)::int`,
} as const
