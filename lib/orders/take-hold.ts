import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { policiesDated } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import { stockSql } from '@/lib/stock/stock-sql'

export type TakenHold = {
  holdId: string
  orderId: string
  token: string
  amountCents: number
  /**
   * The price of one unit, stored with the hold. The amount Stripe charges is calculated from it and never from the
   * drop, whose price may change.
   */
  unitPriceCents: number
  expiresAt: Date
  /** Stripe was asked for this order before, and the result is unknown. */
  isRetry: boolean
}

/** Which units to hold, for whom and for how long. */
export type HoldInput = {
  dropId: number
  quantity: number
  buyerKey: string
  door: 'hosted' | 'embedded'
  holdMs: number
  /** What is known about the buyer; it is evidence if the payment is disputed. */
  ip?: string
}

/**
 * The platform's fee for an amount, rounded half up to a cent, in integer arithmetic (docs/product.md#fees). It must
 * match splitAmount() in SQL.
 */
export const feeCentsSql = (amountCents: string, feeBps: string) =>
  `((${amountCents}::bigint * ${feeBps} + 5000) / 10000)::int`

/**
 * Holds units for one buyer and writes the pending order with its price, fee, payout and the page's content, in one
 * statement. Condition and change are one statement, so that concurrent buyers cannot oversell; the table's CHECK
 * constraint is a second safeguard (docs/product.md#holds).
 * @param buyerKey identifies the buyer; the unique index refuses a second open hold of one buyer on one drop.
 * @returns null when the drop is not live, is over by the database's clock, or has fewer units left.
 */
export async function takeHold(ctx: Context, input: HoldInput): Promise<TakenHold | null> {
  const freeBps = planRules({ plan: 'free', isAdmin: false }).feeBps
  const proBps = planRules({ plan: 'pro', isAdmin: false }).feeBps
  const ids = { holdId: newId('hold'), orderId: newId('ord'), token: newSecret() }
  const [row] = await ctx.sql<{ amountCents: number; unitPriceCents: number; expiresAt: Date }>(
    'take-hold',
    `WITH taken AS (
       UPDATE "Drop" d SET ${stockSql.take(':quantity')}
         FROM "User" u
        WHERE d."id" = :dropId AND u."id" = d."userId"
          AND ${LIVE_DROP} AND ${stockSql.free} >= :quantity
       RETURNING d."id", d."run", d."userId", d."title", d."description", d."shippingNote", d."endTime", d."productType", d."priceCents", u."plan",
         (d."priceCents"::bigint * :quantity)::int AS "amountCents",
         CASE WHEN u."plan" = 'pro' OR u."isAdmin" THEN :proBps::int ELSE :freeBps::int END AS "feeBps"
     ), priced AS (
       SELECT taken.*, ${feeCentsSql('taken."amountCents"', '"feeBps"')} AS "feeCents" FROM taken
     ), hold AS (
       INSERT INTO "Hold" ("id", "dropId", "run", "door", "buyerKey", "quantity", "expiresAt")
       SELECT :holdId, "id", "run", :door::"CheckoutDoor", :buyerKey, :quantity, now() + make_interval(secs => :holdMs::float8 / 1000) FROM priced
       RETURNING "id", "expiresAt"
     ), placed AS (
       INSERT INTO "Order" ("id", "token", "holdId", "dropId", "sellerId", "dropTitle", "productType", "quantity",
                            "unitPriceCents", "amountCents", "platformFeeBps", "platformFeeCents", "sellerPayoutCents",
                            "sellerPlan")
       SELECT :orderId, :token, hold."id", priced."id", "userId", "title", "productType", :quantity, "priceCents", "amountCents",
              "feeBps", "feeCents", "amountCents" - "feeCents", "plan"
         FROM priced, hold
       RETURNING "amountCents", "unitPriceCents"
     ), seen AS (
       INSERT INTO "PurchaseRecord" ("orderId", "description", "shippingNote", "endTime", "imageKeys", "termsDate", "ip")
       SELECT :orderId, "description", "shippingNote", "endTime",
              ARRAY(SELECT i."key" FROM "DropImage" i WHERE i."dropId" = priced."id" ORDER BY i."position"), :termsDate, :ip
         FROM priced
     )
     SELECT placed."amountCents", placed."unitPriceCents", hold."expiresAt" FROM placed, hold`,
    {
      dropId: input.dropId,
      quantity: input.quantity,
      holdId: ids.holdId,
      orderId: ids.orderId,
      token: ids.token,
      buyerKey: input.buyerKey,
      door: input.door,
      freeBps,
      proBps,
      holdMs: input.holdMs,
      termsDate: policiesDated.iso,
      ip: input.ip ?? '',
    },
  )
  return row ? { ...ids, ...row, isRetry: false } : null
}
