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
  /**
   * Whether more than half of the unsold units were unpaid when this hold was taken. Its units may then go back on sale
   * before it ends, and it can still be paid (ADR 0050).
   */
  isContested: boolean
  /** Stripe was asked for this order before, and the result is unknown. */
  isRetry: boolean
}

/** Which units to hold, for whom and for how long. */
export type HoldInput = {
  dropId: number
  quantity: number
  /** Identifies the buyer. A unique index refuses a second open hold of one buyer on one drop. */
  buyerKey: string
  mode: CheckoutMode
  holdMs: number
  /**
   * The network the buyer comes from, and the work that was done for this hold; `workId` is null when none was done.
   * Without an origin nothing is limited, as for a unit that is offered to the waitlist.
   */
  origin?: { key: string; workId: string | null }
  /** The buyer's network address. It is stored as evidence for a dispute. */
  ip?: string
}

/**
 * The SQL expression of the platform's fee for an amount, in cents, rounded half up (docs/product.md#fees). It must
 * give the same result as splitAmount() in lib/kernel/money.ts, or sellers would get another payout than the form for
 * a new drop shows.
 * @param amountCents an SQL expression for an amount in cents
 * @param feeBps an SQL expression for the fee in basis points: 500 is 5 %
 */
export const feeCentsSql = (amountCents: string, feeBps: string) =>
  `((${amountCents}::bigint * ${feeBps} + 5000) / 10000)::int`

/**
 * Holds units for one buyer and writes the pending order with its price, fee, payout and the page's content. One
 * statement checks the conditions and makes the changes, so that concurrent buyers cannot oversell; the table's CHECK
 * constraint is a second safeguard (docs/product.md#holds). Calls from one network for one drop run one after the
 * other, so that each counts the units that the others took (docs/product.md#when-many-buy-at-once).
 * @returns null when the drop is not live, is over by the database's clock, has too few units left, or when work has to
 *   be done first.
 * @throws a unique violation when this buyer already has an open hold on the drop, or when the work was used before.
 */
export async function takeHold(ctx: Context, input: HoldInput): Promise<TakenHold | null> {
  const { origin } = input
  if (!origin) return take(ctx, input)
  return sqlTransaction(ctx, async (tx) => {
    // A statement sees only what was committed before it began. The lock is therefore taken by a statement of its own,
    // and the next statement sees what earlier holders of the lock have written.
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

/**
 * The condition under which no more work is needed: the hold has no origin, its work is done, or neither the state of
 * the drop nor the earlier holds of the origin call for any (ADR 0050).
 */
const MAY_HOLD = `(:originKey::text IS NULL OR :workId::text IS NOT NULL OR (
  NOT (${stockSql.isCrowded(':quantity')} AND ${IS_LASTING}) AND o."expired" < ${EXPIRED_WITHOUT_WORK} * (1 + o."paid")
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
