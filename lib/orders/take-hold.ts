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
  /** The price of one unit, frozen with the hold: what Stripe charges is made from it and never from the drop. */
  unitPriceCents: number
  expiresAt: Date
  /** Stripe has been asked for this order before, and what it did is not known. */
  isRetry: boolean
}

/** Which units to take, for whom and for how long. */
export type HoldInput = {
  dropId: number
  quantity: number
  buyerKey: string
  door: 'hosted' | 'embedded'
  holdMs: number
  /** Of the buyer, as far as it is known: evidence, should the payment be disputed. */
  ip?: string
}

/** The platform's fee of an amount, rounded half up to a cent, in whole numbers only (docs/product.md#fees; splitAmount() in SQL). */
export const feeCentsSql = (amountCents: string, feeBps: string) =>
  `((${amountCents}::bigint * ${feeBps} + 5000) / 10000)::int`

/**
 * Takes stock for one buyer and writes the pending order, with price, fee, payout and what the page said frozen, in one statement: the
 * condition and the change are one, and the CHECK on the row stands behind it (docs/product.md#holds).
 * @param buyerKey one open hold per buyer and drop; a second one is refused by the unique index.
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
