import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import { LIVE_DROP } from '@/lib/drops/queries'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { policiesDated } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import { EXPIRED_WITHOUT_WORK, ONE_ORDER, OWN_PART } from '@/lib/stock/rules'
import { stockSql } from '@/lib/stock/stock-sql'
import { IS_LASTING, OWN_HOLDS } from './queries'
import { CONTESTED_HOLD_MS } from './rules'

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
  /** Many are buying: its units may go back on sale before it ends, while it can still be paid. */
  isContested: boolean
  /** Stripe was asked for this order before, and the result is unknown. */
  isRetry: boolean
}

/** Which units to hold, for whom and for how long. */
export type HoldInput = {
  dropId: number
  quantity: number
  buyerKey: string
  mode: CheckoutMode
  holdMs: number
  /**
   * The network the buyer comes from, and the work that was done for this hold. Without it nothing is limited, as for a
   * unit that is offered to the waitlist.
   */
  origin?: { key: string; workId: string | null }
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
 * constraint is a second safeguard (docs/product.md#holds). Takes of one network at one drop come one after the other, so
 * that each counts what the others took (docs/product.md#when-many-buy-at-once).
 * @param buyerKey identifies the buyer; the unique index refuses a second open hold of one buyer on one drop.
 * @returns null when the drop is not live, is over by the database's clock, has fewer units left, or when work has to be
 *   done first.
 */
export async function takeHold(ctx: Context, input: HoldInput): Promise<TakenHold | null> {
  const { origin } = input
  if (!origin) return take(ctx, input)
  return sqlTransaction(ctx, async (tx) => {
    // A statement sees what was there when it began, so the lock needs one of its own before it.
    await tx.sql('lock-origin', 'SELECT pg_advisory_xact_lock(hashtextextended(:key, :dropId))', {
      key: origin.key,
      dropId: input.dropId,
    })
    return take(tx, input)
  })
}

async function take({ sql }: Pick<Context, 'sql'>, input: HoldInput): Promise<TakenHold | null> {
  const ids = { holdId: newId('hold'), orderId: newId('ord'), token: newSecret() }
  const [row] = await sql<Omit<TakenHold, keyof typeof ids | 'isRetry'>>('take-hold', TAKE_HOLD, {
    dropId: input.dropId,
    quantity: input.quantity,
    holdId: ids.holdId,
    orderId: ids.orderId,
    token: ids.token,
    buyerKey: input.buyerKey,
    mode: input.mode,
    freeBps: planRules({ plan: 'free', isAdmin: false }).feeBps,
    proBps: planRules({ plan: 'pro', isAdmin: false }).feeBps,
    holdMs: input.holdMs,
    contestedMs: Math.min(input.holdMs, CONTESTED_HOLD_MS),
    originKey: input.origin?.key ?? null,
    workId: input.origin?.workId ?? null,
    termsDate: policiesDated.iso,
    ip: input.ip ?? '',
  })
  return row ? { ...ids, ...row, isRetry: false } : null
}

/** No origin to count, work done, or neither the drop nor the origin gives a reason to ask for any. */
const MAY_HOLD = `(:originKey::text IS NULL OR :workId::text IS NOT NULL OR (
  NOT (${stockSql.isCrowded} AND ${IS_LASTING}) AND o."expired" < ${EXPIRED_WITHOUT_WORK} * (1 + o."paid")
  AND o."unpaid" + :quantity <= GREATEST(${ONE_ORDER}, ${stockSql.unsold} * ${OWN_PART})))`

const TAKE_HOLD = `
  WITH origin AS (${OWN_HOLDS}), taken AS (
    UPDATE "Drop" d SET ${stockSql.take(':quantity')}
      FROM "User" u, origin o
     WHERE d."id" = :dropId AND u."id" = d."userId"
       AND ${LIVE_DROP} AND ${stockSql.free} >= :quantity AND ${MAY_HOLD}
    RETURNING d."id", d."run", d."userId", d."title", d."description", d."shippingNote", d."endTime", d."productType", d."priceCents", u."plan",
      (d."priceCents"::bigint * :quantity)::int AS "amountCents",
      CASE WHEN u."plan" = 'pro' OR u."isAdmin" THEN :proBps::int ELSE :freeBps::int END AS "feeBps",
      :originKey::text IS NOT NULL AND ${stockSql.excess} > 0 AS "isContested"
  ), priced AS (
    SELECT taken.*, ${feeCentsSql('taken."amountCents"', '"feeBps"')} AS "feeCents" FROM taken
  ), hold AS (
    INSERT INTO "Hold" ("id", "dropId", "run", "mode", "buyerKey", "quantity", "originKey", "workId", "isContested", "expiresAt")
    SELECT :holdId, "id", "run", :mode::"CheckoutMode", :buyerKey, :quantity, :originKey, :workId, "isContested",
           now() + make_interval(secs => (CASE WHEN "isContested" THEN :contestedMs ELSE :holdMs END)::float8 / 1000)
      FROM priced
    RETURNING "id", "expiresAt", "isContested"
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
  SELECT placed."amountCents", placed."unitPriceCents", hold."expiresAt", hold."isContested" FROM placed, hold`
