import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { UNANSWERED } from './queries'
import type { HoldInput, TakenHold } from './take-hold'

/** The hold has no discount code, or its code has a use left, whose row is then locked. */
const MAY_REDEEM = `(a."codeId" IS NULL OR EXISTS (SELECT 1 FROM redeemable))`

/**
 * Resumes the checkout that Stripe left unanswered a moment ago. It keeps the order and its idempotency key, so that a
 * retry finds what Stripe may have made in the meantime (docs/product.md#the-path-of-a-purchase). Its units were on
 * sale in between and may be gone, and so may the use of its discount code. The drop is locked before the value of its option
 * and the code, as in takeHold().
 * @returns null when there is nothing to resume, or its units are gone.
 */
export async function reopenHold(ctx: Context, input: Omit<HoldInput, 'holdMs'>): Promise<TakenHold | null> {
  const [hold] = await ctx.sql<TakenHold>(
    'reopen-hold',
    `WITH unanswered AS (
       SELECT h."id", h."dropId", h."run", h."valueId", h."codeId", h."quantity", h."expiresAt", h."isContested",
              o."id" AS "orderId", o."token", o."amountCents", o."unitPriceCents", o."dropTitle" AS "title", o."optionName", o."optionValue",
              o."discountCode", o."discountCents"
         FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
        WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND h."mode" = :mode::"CheckoutMode" AND h."quantity" = :quantity
          AND h."valueId" IS NOT DISTINCT FROM :valueId::int AND h."codeId" IS NOT DISTINCT FROM :codeId::int AND ${UNANSWERED} AND o."status" = 'expired'
        ORDER BY h."createdAt" DESC LIMIT 1 FOR UPDATE
     ), able AS MATERIALIZED (
       SELECT d."id" FROM "Drop" d, unanswered a, "User" u
        WHERE d."id" = a."dropId" AND d."run" = a."run" AND d."priceCents" = a."unitPriceCents" + a."discountCents" / a."quantity"
          AND (d."optionName" IS NULL) = (a."valueId" IS NULL)
          AND u."id" = d."userId" AND ${LIVE_DROP} AND ${stockSql.free} >= a."quantity"
          FOR NO KEY UPDATE OF d
     ), redeemable AS MATERIALIZED (
       SELECT c."id" FROM able, "DiscountCode" c WHERE c."id" = :codeId::int AND ${codeSql.isFree} FOR NO KEY UPDATE OF c
     ), value AS (
       UPDATE "OptionValue" v SET ${valueSql.take('a."quantity"')} FROM unanswered a, able
        WHERE v."id" = a."valueId" AND v."dropId" = able."id" AND ${valueSql.free} >= a."quantity" AND ${MAY_REDEEM} RETURNING v."id"
     ), taken AS (
       UPDATE "Drop" d SET ${stockSql.take('a."quantity"')} FROM unanswered a, able
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
            a."optionName", a."optionValue", a."discountCode", a."discountCents", true AS "isRetry"
       FROM unanswered a, taken`,
    {
      dropId: input.dropId,
      buyerKey: input.buyerKey,
      mode: input.mode,
      quantity: input.quantity,
      valueId: input.valueId ?? null,
      codeId: input.codeId ?? null,
    },
  )
  return hold ?? null
}
