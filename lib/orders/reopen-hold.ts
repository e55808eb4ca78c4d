import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { stockSql } from '@/lib/stock/stock-sql'
import { UNANSWERED } from './queries'
import type { HoldInput, TakenHold } from './take-hold'

/**
 * Resumes the checkout that Stripe left unanswered a moment ago. It keeps the order and its idempotency key, so that a
 * retry finds what Stripe may have made in the meantime (docs/product.md#the-path-of-a-purchase). Its units were on
 * sale in between and may be gone.
 * @returns null when there is nothing to resume, or its units are gone.
 */
export async function reopenHold(ctx: Context, input: Omit<HoldInput, 'holdMs'>): Promise<TakenHold | null> {
  const [hold] = await ctx.sql<TakenHold>(
    'reopen-hold',
    `WITH unanswered AS (
       SELECT h."id", h."dropId", h."run", h."quantity", h."expiresAt", h."isContested",
              o."id" AS "orderId", o."token", o."amountCents", o."unitPriceCents"
         FROM "Hold" h JOIN "Order" o ON o."holdId" = h."id"
        WHERE h."dropId" = :dropId AND h."buyerKey" = :buyerKey AND h."mode" = :mode::"CheckoutMode" AND h."quantity" = :quantity
          AND ${UNANSWERED} AND o."status" = 'expired'
        ORDER BY h."createdAt" DESC LIMIT 1 FOR UPDATE
     ), taken AS (
       UPDATE "Drop" d SET ${stockSql.take('a."quantity"')} FROM unanswered a, "User" u
        WHERE d."id" = a."dropId" AND d."run" = a."run" AND d."priceCents" = a."unitPriceCents"
          AND u."id" = d."userId" AND ${LIVE_DROP} AND ${stockSql.free} >= a."quantity"
       RETURNING d."id"
     ), held AS (
       UPDATE "Hold" h SET "state" = 'held', "settledAt" = NULL FROM unanswered a, taken WHERE h."id" = a."id"
     ), placed AS (
       UPDATE "Order" o SET "status" = 'pending' FROM unanswered a, taken WHERE o."id" = a."orderId"
     )
     SELECT a."id" AS "holdId", a."orderId", a."token", a."amountCents", a."unitPriceCents", a."expiresAt", a."isContested", true AS "isRetry"
       FROM unanswered a, taken`,
    { dropId: input.dropId, buyerKey: input.buyerKey, mode: input.mode, quantity: input.quantity },
  )
  return hold ?? null
}
