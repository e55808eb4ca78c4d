import 'server-only'
import { LIVE_DROP } from '@/lib/drops/queries'
import { statement } from '@/lib/infra/db'
import { policiesDated } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'

export type TakenHold = {
  holdId: string
  orderId: string
  token: string
  amountCents: number
  expiresAt: Date
  /** Stripe has been asked for this order before, and what it did is not known. */
  isRetry: boolean
}

/** The platform's fee of an amount, rounded half up to a cent, in whole numbers only (DECISIONS 2; splitAmount() in SQL). */
export const feeCentsSql = (amountCents: string, feeBps: string) =>
  `((${amountCents}::bigint * ${feeBps} + 5000) / 10000)::int`

/**
 * Takes stock for one buyer and writes the pending order, with price, fee, payout and what the page said frozen, in one statement: the
 * condition and the change are one, and the CHECK on the row stands behind it (DECISIONS 4).
 * @param buyerKey one open hold per buyer and drop; a second one is refused by the unique index.
 * @returns null when the drop is not live, is over by the database's clock, or has fewer units left.
 */
export async function takeHold(input: {
  dropId: number
  quantity: number
  buyerKey: string
  door: 'hosted' | 'embedded'
  holdMs: number
  /** Of the buyer, as far as it is known: evidence, should the payment be disputed. */
  ip?: string
}): Promise<TakenHold | null> {
  const freeBps = planRules({ plan: 'free', isAdmin: false }).feeBps
  const proBps = planRules({ plan: 'pro', isAdmin: false }).feeBps
  const ids = { holdId: newId('hold'), orderId: newId('ord'), token: newSecret() }
  const [row] = await statement<{ amountCents: number; expiresAt: Date }>(
    'take-hold',
    `WITH taken AS (
       UPDATE "Drop" d SET "held" = d."held" + $2
         FROM "User" u
        WHERE d."id" = $1 AND u."id" = d."userId"
          AND ${LIVE_DROP} AND d."quantity" - d."sold" - d."held" >= $2
       RETURNING d."id", d."run", d."userId", d."title", d."description", d."shippingNote", d."endTime", d."productType", d."priceCents", u."plan",
         (d."priceCents"::bigint * $2)::int AS "amountCents",
         CASE WHEN u."plan" = 'pro' OR u."isAdmin" THEN $9::int ELSE $8::int END AS "feeBps"
     ), priced AS (
       SELECT taken.*, ${feeCentsSql('taken."amountCents"', '"feeBps"')} AS "feeCents" FROM taken
     ), hold AS (
       INSERT INTO "Hold" ("id", "dropId", "run", "door", "buyerKey", "quantity", "expiresAt")
       SELECT $3, "id", "run", $7::"CheckoutDoor", $6, $2, now() + make_interval(secs => $10::float8 / 1000) FROM priced
       RETURNING "id", "expiresAt"
     ), placed AS (
       INSERT INTO "Order" ("id", "token", "holdId", "dropId", "sellerId", "dropTitle", "productType", "quantity",
                            "unitPriceCents", "amountCents", "platformFeeBps", "platformFeeCents", "sellerPayoutCents",
                            "sellerPlan")
       SELECT $4, $5, hold."id", priced."id", "userId", "title", "productType", $2, "priceCents", "amountCents",
              "feeBps", "feeCents", "amountCents" - "feeCents", "plan"
         FROM priced, hold
       RETURNING "amountCents"
     ), seen AS (
       INSERT INTO "PurchaseRecord" ("orderId", "description", "shippingNote", "endTime", "imageKeys", "termsDate", "ip")
       SELECT $4, "description", "shippingNote", "endTime",
              ARRAY(SELECT i."key" FROM "DropImage" i WHERE i."dropId" = priced."id" ORDER BY i."position"), $11, $12
         FROM priced
     )
     SELECT placed."amountCents", hold."expiresAt" FROM placed, hold`,
    [
      input.dropId,
      input.quantity,
      ids.holdId,
      ids.orderId,
      ids.token,
      input.buyerKey,
      input.door,
      freeBps,
      proBps,
      input.holdMs,
      policiesDated.iso,
      input.ip ?? '',
    ],
  )
  return row ? { ...ids, ...row, isRetry: false } : null
}
