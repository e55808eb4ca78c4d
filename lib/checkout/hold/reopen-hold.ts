import 'server-only'
import { dropSql } from '@/lib/drops/drop-sql'
import { zoneSql } from '@/lib/drops/delivery/zone-sql'
import type { Context } from '@/lib/infra/context'
import { codeSql } from '@/lib/stock/code-sql'
import { earlySql, earlyUnitsOf, isUsableLink } from '@/lib/stock/early-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { UNANSWERED } from '../queries'
import type { HoldInput, TakenHold } from './take-hold'

/** SQL: whether the hold has no discount code, or the code has a use left and its row is locked. */
const MAY_REDEEM = `(a."codeId" IS NULL OR EXISTS (SELECT 1 FROM redeemable))`

/**
 * SQL: whether the hold was early, early access is still open, and neither its units nor its link were used in the
 * meantime.
 */
const MAY_BUY_EARLY = `(a."earlyLinkId" IS NOT NULL AND ${dropSql.isOpenEarly} AND ${earlySql.left} >= a."quantity"
  AND ${isUsableLink('a."earlyLinkId"')})`

/**
 * Resumes a checkout for which Stripe did not respond a moment ago. The order and its idempotency key stay the same, so
 * that a retry finds what Stripe may have created in the meantime (docs/product.md#the-path-of-a-purchase). The units
 * and the use of the discount code were free in between, so others may have taken them. The drop is locked before the
 * value of its option and the code, as in takeHold().
 * @returns null when there is nothing to resume, when the drop is no longer live, when its price, its surcharge or its
 *   run has changed, or when the units or the use of the code are gone
 */
export async function reopenHold(
  { sql }: Pick<Context, 'sql'>,
  input: Omit<HoldInput, 'holdMs'>,
): Promise<TakenHold | null> {
  const [hold] = await sql<TakenHold>(
    'reopen-hold',
    `WITH unanswered AS (
       SELECT h."id", h."dropId", h."run", h."valueId", h."codeId", h."earlyLinkId", h."quantity", h."expiresAt", h."isContested",
              o."id" AS "orderId", o."token", o."amountCents", o."unitPriceCents", o."dropTitle" AS "title", o."optionName", o."optionValue",
              o."discountCode", o."discountCents", o."shipsTo", o."shippingCents"
         FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
        WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND h."mode" = :mode::"CheckoutMode" AND h."quantity" = :quantity
          AND h."valueId" IS NOT DISTINCT FROM :valueId::int AND h."codeId" IS NOT DISTINCT FROM :codeId::int
          AND h."earlyLinkId" IS NOT DISTINCT FROM :earlyLinkId::int
          AND o."shipsTo" IS NOT DISTINCT FROM :shipsTo::text AND ${UNANSWERED} AND o."status" = 'expired'
        ORDER BY h."createdAt" DESC LIMIT 1 FOR UPDATE
     ), able AS MATERIALIZED (
       SELECT d."id" FROM "Drop" d, unanswered a, "User" u
        WHERE d."id" = a."dropId" AND d."run" = a."run" AND d."priceCents" = a."unitPriceCents" + a."discountCents" / a."quantity"
          AND (d."optionName" IS NULL) = (a."valueId" IS NULL)
          AND ${zoneSql.isServed('a."shipsTo"', { isOffer: 'false', isHomeOnly: 'true' })} AND ${zoneSql.cents('a."shipsTo"')} = a."shippingCents"
          AND u."id" = d."userId" AND (${dropSql.isLive} OR ${MAY_BUY_EARLY}) AND ${stockSql.free} >= a."quantity"
          FOR NO KEY UPDATE OF d
     ), redeemable AS MATERIALIZED (
       SELECT c."id" FROM able, "DiscountCode" c WHERE c."id" = :codeId::int AND ${codeSql.isFree} FOR NO KEY UPDATE OF c
     ), value AS (
       UPDATE "OptionValue" v SET ${valueSql.take('a."quantity"')} FROM unanswered a, able
        WHERE v."id" = a."valueId" AND v."dropId" = able."id" AND ${valueSql.free} >= a."quantity" AND ${MAY_REDEEM} RETURNING v."id"
     ), taken AS (
       UPDATE "Drop" d SET ${stockSql.take('a."quantity"')}, ${earlySql.take(earlyUnitsOf('a'))} FROM unanswered a, able
        WHERE d."id" = able."id" AND (a."valueId" IS NULL OR EXISTS (SELECT 1 FROM value)) AND ${MAY_REDEEM}
       RETURNING d."id"
     ), redeemed AS (
       UPDATE "DiscountCode" c SET ${codeSql.take} FROM redeemable, taken WHERE c."id" = redeemable."id"
     ), held AS (
       UPDATE "Hold" h SET "state" = 'held', "settledAt" = NULL FROM unanswered a, taken WHERE h."id" = a."id"
     ), placed AS (
       UPDATE "Order" o SET "status" = 'pending' FROM unanswered a, taken WHERE o."id" = a."orderId"
     )
     SELECT a."id" AS "holdId", a."orderId", a."token", a."amountCents", a."unitPriceCents", a."expiresAt", a."isContested", a."title",
            a."optionName", a."optionValue", a."discountCode", a."discountCents", a."shipsTo", a."shippingCents", true AS "isRetry"
       FROM unanswered a, taken`,
    {
      dropId: input.dropId,
      buyerKey: input.buyerKey,
      mode: input.mode,
      quantity: input.quantity,
      valueId: input.valueId ?? null,
      codeId: input.codeId ?? null,
      earlyLinkId: input.earlyLinkId ?? null,
      shipsTo: input.shipsTo ?? null,
    },
  )
  return hold ?? null
}
