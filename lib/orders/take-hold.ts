import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import { zoneSql } from '@/lib/drops/zone-sql'
import type { Context } from '@/lib/infra/context'
import { policiesDated } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { earlySale, publicSale, type Sale } from './early-sale'
import { MAY_HOLD, MAY_HOLD_VALUE, MAY_USE_CODE } from './may-hold'
import { LOCKED_UNPAID, LOCKED_VALUE_UNPAID, ownHoldsSql } from './read-checkout-load'
import { CONTESTED_HOLD_MS } from './rules'

export type TakenHold = {
  holdId: string
  orderId: string
  token: string
  /** The text that the order stores for what is sold: the title of the drop, with the chosen value in parentheses. */
  title: string
  /** The chosen value of the drop's option, as the order stores it; both fields are null without options. */
  optionName: string | null
  optionValue: string | null
  /** The discount code, and the cents that it takes off all units together; null and 0 without a code. */
  discountCode: string | null
  discountCents: number
  /** The country that the order is shipped to, and the surcharge for it; null and 0 without zones. */
  shipsTo: string | null
  shippingCents: number
  amountCents: number
  /**
   * The price of one unit for this buyer, stored with the order. The amount that Stripe charges is calculated from this
   * price and never from the drop's.
   */
  unitPriceCents: number
  expiresAt: Date
  /**
   * Whether more than half of the unsold units of the drop or of the value, or of the uses of the code, were unpaid
   * when this hold was taken, or whether it took the last unit with a proof of work. The units may then go back on sale
   * before the hold ends. The checkout can still be paid afterwards (ADR 0050).
   */
  isContested: boolean
  /** Whether this order was sent to Stripe before, with an unknown result. */
  isRetry: boolean
}

/**
 * A proof of work. It is enough while the network has at most `mostUnpaid` units in checkout, and at most
 * `mostValueUnpaid` of the wanted value. Both counts include the units of this hold. Above these numbers, a hold
 * needs more work.
 */
type DoneWork = { id: string; mostUnpaid: number; mostValueUnpaid?: number }

/** Which units to hold, for whom and for how long. */
export type HoldInput = {
  dropId: number
  quantity: number
  /** The chosen value of the drop's option (chooseValue()); left out for a drop without options. */
  valueId?: number | null
  /** The discount code (chooseCode()); left out without one. */
  codeId?: number | null
  /** The follower's link, with which the units are taken before the public start; left out for everyone else. */
  earlyLinkId?: number | null
  /** The country that the buyer chose (chooseCountry()); left out when the price includes shipping to all countries. */
  shipsTo?: string | null
  /** Whether the drop has no zones, and its seller ships only to that country for now (limitToHome()). */
  isHomeOnly?: boolean
  /** Whether the country is chosen later, as by a person on the waitlist (claimUnit()). */
  isOffer?: boolean
  /** Identifies the buyer. A unique index refuses a second open hold of one buyer on one drop. */
  buyerKey: string
  mode: CheckoutMode
  /** The tap on a wallet's button that takes the units; left out for every other checkout. */
  tapId?: string | null | undefined
  holdMs: number
  /**
   * The network the buyer comes from, and the work that was done for this hold; null when none was done. Without an
   * origin, no limit applies here. Units that are offered to the waitlist have none, because offerFreedUnits() limits
   * them itself.
   */
  origin?: { key: string; work: DoneWork | null }
  /** The buyer's network address. It is stored as evidence for a dispute. */
  ip?: string
}

/**
 * The SQL expression of the platform's fee for an amount, in cents, rounded half up (docs/product.md#fees). The result
 * must be the same as that of splitAmount() in lib/kernel/money.ts. Otherwise sellers would get a different payout from
 * the one that the form for a new drop shows.
 * @param amountCents an SQL expression for an amount in cents
 * @param feeBps an SQL expression for the fee in basis points: 500 is 5%
 */
export const feeCentsSql = (amountCents: string, feeBps: string) =>
  `((${amountCents}::bigint * ${feeBps} + 5000) / 10000)::int`

/**
 * Holds units for one buyer and writes the pending order with its price, fee, payout and the page's content. One
 * statement checks the conditions and makes the changes, so that concurrent buyers cannot oversell. The table's CHECK
 * constraint is a second safeguard (docs/product.md#holds). The statement commits by itself. In a longer transaction,
 * every other buyer of the drop would wait while results travel between database and application
 * (docs/performance.md#the-hot-row). Calls from one network for one drop run one after the other, so that each counts
 * the units that the others took (docs/product.md#when-many-buy-at-once). A discount code is redeemed in the same
 * statement. Purchases without a code use a different statement, which locks no code (ADR 0055). Purchases with a
 * follower's link also have a statement of their own. It takes units only before the public start, and the others only
 * after it (ADR 0066). A new condition also belongs in reopenHold() and markPaid(), which take free units too. If it
 * concerns late payments, it belongs in HAS_UNITS of check-wallet-payment.ts as well.
 * @returns null when the drop is not live, has ended by the database's clock or has too few units left, when the code
 *   can no longer be used, or when work has to be done first.
 * @throws a unique violation when this buyer already has an open hold on the drop, when the work was used before, or
 *   when the link is in another checkout.
 */
export async function takeHold({ sql }: Pick<Context, 'sql'>, input: HoldInput): Promise<TakenHold | null> {
  const ids = { holdId: newId('hold'), orderId: newId('ord'), token: newSecret() }
  const { valueId, codeId, earlyLinkId } = input
  const statements = earlyLinkId ? EARLY_STATEMENTS : STATEMENTS
  const { name, statement } = statements[codeId ? 'coded' : 'plain'][valueId ? 'value' : 'whole']
  const [row] = await sql<Omit<TakenHold, keyof typeof ids | 'isRetry'>>(name, statement, {
    dropId: input.dropId,
    ...(valueId ? { valueId, mostValueUnpaid: input.origin?.work?.mostValueUnpaid ?? null } : {}),
    ...(codeId ? { codeId } : {}),
    ...(earlyLinkId ? { earlyLinkId } : {}),
    quantity: input.quantity,
    shipsTo: input.shipsTo ?? null,
    isOffer: input.isOffer ?? false,
    isHomeOnly: input.isHomeOnly ?? false,
    holdId: ids.holdId,
    orderId: ids.orderId,
    token: ids.token,
    buyerKey: input.buyerKey,
    mode: input.mode,
    tapId: input.tapId ?? null,
    freeBps: planRules({ plan: 'free', isAdmin: false }).feeBps,
    proBps: planRules({ plan: 'pro', isAdmin: false }).feeBps,
    holdMs: input.holdMs,
    contestedMs: Math.min(input.holdMs, CONTESTED_HOLD_MS),
    originKey: input.origin?.key ?? null,
    workId: input.origin?.work?.id ?? null,
    mostUnpaid: input.origin?.work?.mostUnpaid ?? null,
    termsDate: policiesDated.iso,
    ip: input.ip ?? '',
  })
  return row ? { ...ids, ...row, isRetry: false } : null
}

/**
 * The day by which a unit of the drop `d` that is bought now is shipped, as the midnight (UTC) at which this day
 * begins. It must be the same day as that of shipDay() in lib/drops/ship-rules.ts, which the drop page shows.
 */
const SHIPS_BY = `CASE WHEN d."productType" = 'physical' THEN
        date_trunc('day', d."endTime" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' + make_interval(hours => 24 * d."shipsWithin") END`
const SHIPS_FROM = `CASE WHEN d."productType" = 'physical' THEN d."shipsFrom" END`

/**
 * The condition under which units of a drop `d` of the seller `u` may be held. `o` has the counts of the origin's
 * holds.
 */
const mayTake = ({ isOpen }: Sale) =>
  `d."id" = :dropId AND u."id" = d."userId" AND ${isOpen} AND ${stockSql.free} >= :quantity AND ${MAY_HOLD}
   AND ${zoneSql.isServed(':shipsTo::text', { isOffer: ':isOffer::boolean', isHomeOnly: ':isHomeOnly::boolean' })}`

/**
 * The condition under which a discount code `c` of the drop `d` may be used, the columns that the code adds to `able`,
 * and the update that counts its use.
 */
const MAY_REDEEM = `c."id" = :codeId::int AND c."dropId" = d."id" AND ${codeSql.isCurrent} AND ${codeSql.isFree}
  AND ${codeSql.isChargeable('d."priceCents"')} AND ${MAY_USE_CODE}`
const DISCOUNT = `c."id" AS "codeId", c."code", ${codeSql.offCents('d."priceCents"')} AS "offCents"`
const REDEEMED = `redeemed AS (
    UPDATE "DiscountCode" c SET ${codeSql.take} FROM able WHERE c."id" = able."codeId"
    RETURNING ${codeSql.excess} AS "codeExcess"
  )`

/**
 * The parts that a discount code adds to the statement. `able` has the code and the cents that it takes off one unit.
 */
const CODED = {
  price: 'd."priceCents" - able."offCents"',
  discount: ', able."codeId", able."code", able."offCents" * :quantity AS "discountCents"',
  holdColumns: ', "codeId"',
  holdValues: ', "codeId"',
  orderColumns: ', "discountCode", "discountCents"',
  orderValues: ', "code", "discountCents"',
}
const NOT_CODED: typeof CODED = {
  price: 'd."priceCents"',
  discount: '',
  holdColumns: '',
  holdValues: '',
  orderColumns: '',
  orderValues: '',
}

/**
 * The statement for a drop without options. It takes nothing from a drop with options, because the drop's sums would
 * then differ from those of its values.
 */
const takeWhole = (sale: Sale) =>
  takeHoldSql({
    sale,
    own: ownHoldsSql(LOCKED_UNPAID),
    taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')}${sale.alsoTake} FROM "User" u, origin o WHERE ${mayTake(sale)} AND d."optionName" IS NULL`,
    title: 'd."title"',
    name: 'NULL::text',
    value: 'NULL::text',
    valueId: 'NULL::int',
    excess: stockSql.excess,
    isLast: stockSql.takesLast('0'),
  })

/**
 * The statement for one value of a drop's option. The drop's row is locked first. The units are then taken from the
 * value under a condition of its own, and after that from the drop. Neither row changes in between, because every such
 * statement locks the drop first.
 */
const takeValue = (sale: Sale) =>
  takeHoldSql({
    sale,
    own: ownHoldsSql(LOCKED_UNPAID, LOCKED_VALUE_UNPAID),
    before: `able AS MATERIALIZED (
    SELECT d."id", d."run" FROM "Drop" d, "User" u, origin o WHERE ${mayTake(sale)} AND d."optionName" IS NOT NULL
       FOR NO KEY UPDATE OF d
  ), value AS (
    UPDATE "OptionValue" v SET ${valueSql.take(':quantity')} FROM able d, origin o
     WHERE v."id" = :valueId::int AND v."dropId" = d."id" AND ${valueSql.free} >= :quantity AND ${MAY_HOLD_VALUE}
    RETURNING v."id", v."dropId", v."value", ${valueSql.excess} AS "excess", ${valueSql.takesLast('0')} AS "isLast"
  ), `,
    taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')}${sale.alsoTake} FROM "User" u, value
     WHERE d."id" = value."dropId" AND u."id" = d."userId"`,
    title: `d."title" || ' (' || d."optionName" || ' ' || value."value" || ')'`,
    name: 'd."optionName"',
    value: 'value."value"',
    valueId: 'value."id"',
    excess: `GREATEST(${stockSql.excess}, value."excess")`,
    isLast: `(${stockSql.takesLast('0')} OR value."isLast")`,
  })

/**
 * The statement for a drop without options and with a discount code. The rows of the drop and of the code are locked
 * together, the drop first. The conditions are checked against the locked rows, and only then are the units taken and
 * the use counted.
 */
const takeCoded = (sale: Sale) =>
  takeHoldSql({
    sale,
    own: ownHoldsSql(LOCKED_UNPAID),
    before: `able AS MATERIALIZED (
    SELECT d."id", ${DISCOUNT} FROM "Drop" d, "User" u, origin o, "DiscountCode" c
     WHERE ${mayTake(sale)} AND d."optionName" IS NULL AND ${MAY_REDEEM}
       FOR NO KEY UPDATE OF d, c
  ), ${REDEEMED}, `,
    taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')}${sale.alsoTake} FROM "User" u, able, redeemed
     WHERE d."id" = able."id" AND u."id" = d."userId"`,
    title: 'd."title"',
    name: 'NULL::text',
    value: 'NULL::text',
    valueId: 'NULL::int',
    excess: `GREATEST(${stockSql.excess}, redeemed."codeExcess")`,
    isLast: stockSql.takesLast('0'),
    isCoded: true,
  })

/** The statement for one value with a discount code. The row of the value is locked after that of the drop. */
const takeCodedValue = (sale: Sale) =>
  takeHoldSql({
    sale,
    own: ownHoldsSql(LOCKED_UNPAID, LOCKED_VALUE_UNPAID),
    before: `able AS MATERIALIZED (
    SELECT d."id", v."id" AS "valueId", ${DISCOUNT} FROM "Drop" d, "User" u, origin o, "OptionValue" v, "DiscountCode" c
     WHERE ${mayTake(sale)} AND d."optionName" IS NOT NULL AND v."id" = :valueId::int AND v."dropId" = d."id"
       AND ${valueSql.free} >= :quantity AND ${MAY_HOLD_VALUE} AND ${MAY_REDEEM}
       FOR NO KEY UPDATE OF d, v, c
  ), ${REDEEMED}, value AS (
    UPDATE "OptionValue" v SET ${valueSql.take(':quantity')} FROM able WHERE v."id" = able."valueId"
    RETURNING v."id", v."value", ${valueSql.excess} AS "excess", ${valueSql.takesLast('0')} AS "isLast"
  ), `,
    taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')}${sale.alsoTake} FROM "User" u, able, value, redeemed
     WHERE d."id" = able."id" AND u."id" = d."userId"`,
    title: `d."title" || ' (' || d."optionName" || ' ' || value."value" || ')'`,
    name: 'd."optionName"',
    value: 'value."value"',
    valueId: 'value."id"',
    excess: `GREATEST(${stockSql.excess}, value."excess", redeemed."codeExcess")`,
    isLast: `(${stockSql.takesLast('0')} OR value."isLast")`,
    isCoded: true,
  })

/** The statements for one kind of sale, by whether there is a discount code and whether the drop has options. */
const statementsOf = (sale: Sale) => ({
  plain: {
    whole: { name: `${sale.prefix}-hold`, statement: takeWhole(sale) },
    value: { name: `${sale.prefix}-value-hold`, statement: takeValue(sale) },
  },
  coded: {
    whole: { name: `${sale.prefix}-coded-hold`, statement: takeCoded(sale) },
    value: { name: `${sale.prefix}-coded-value-hold`, statement: takeCodedValue(sale) },
  },
})
const STATEMENTS = statementsOf(publicSale)
const EARLY_STATEMENTS = statementsOf(earlySale)

type TakeParts = Record<'own' | 'taken' | 'title' | 'name' | 'value' | 'valueId' | 'excess' | 'isLast', string> & {
  sale: Sale
  before?: string
  isCoded?: boolean
}

function takeHoldSql({ sale, own, before = '', isCoded = false, ...parts }: TakeParts): string {
  const { taken, title, name, value, valueId, excess, isLast } = parts
  const coded = isCoded ? CODED : NOT_CODED
  return `
  WITH origin AS MATERIALIZED (${own}), ${before}taken AS (
    ${taken}
    RETURNING d."id", d."run", d."userId", ${title} AS "title", ${name} AS "optionName", ${value} AS "optionValue",
      ${valueId} AS "valueId", d."description", d."shippingNote", d."endTime", d."productType", ${SHIPS_FROM} AS "shipsFrom", ${SHIPS_BY} AS "shipsBy", ${coded.price} AS "priceCents", u."plan",
      :shipsTo::text AS "shipsTo", ${zoneSql.cents(':shipsTo::text')} AS "shippingCents",
      ((${coded.price})::bigint * :quantity)::int + ${zoneSql.cents(':shipsTo::text')} AS "amountCents"${coded.discount},
      CASE WHEN u."plan" = 'pro' OR u."isAdmin" THEN :proBps::int ELSE :freeBps::int END AS "feeBps",
      :originKey::text IS NOT NULL AND (${excess} > 0 OR :workId::text IS NOT NULL AND ${isLast}) AS "isContested"
  ), priced AS (
    SELECT taken.*, ${feeCentsSql('taken."amountCents"', '"feeBps"')} AS "feeCents" FROM taken
  ), hold AS (
    INSERT INTO "Hold" ("id", "dropId", "run", "valueId", "mode", "buyerKey", "quantity", "originKey", "workId", "tapId", "isContested", "expiresAt"${coded.holdColumns}${sale.holdColumns})
    SELECT :holdId, "id", "run", "valueId", :mode::"CheckoutMode", :buyerKey, :quantity, :originKey, :workId, :tapId, "isContested",
           now() + make_interval(secs => (CASE WHEN "isContested" THEN :contestedMs ELSE :holdMs END)::float8 / 1000)${coded.holdValues}${sale.holdValues}
      FROM priced
    RETURNING "id", "expiresAt", "isContested"
  ), placed AS (
    INSERT INTO "Order" ("id", "token", "holdId", "dropId", "sellerId", "dropTitle", "optionName", "optionValue",
                         "productType", "quantity", "unitPriceCents", "amountCents", "platformFeeBps", "platformFeeCents", "sellerPayoutCents",
                         "sellerPlan", "shipsFrom", "shipsBy", "shipsTo", "shippingCents"${coded.orderColumns}${sale.orderColumns})
    SELECT :orderId, :token, hold."id", priced."id", "userId", "title", "optionName", "optionValue", "productType", :quantity,
           "priceCents", "amountCents", "feeBps", "feeCents", "amountCents" - "feeCents", "plan", "shipsFrom", "shipsBy", "shipsTo", "shippingCents"${coded.orderValues}${sale.orderValues}
      FROM priced, hold
    RETURNING "amountCents", "unitPriceCents", "dropTitle" AS "title", "optionName", "optionValue", "discountCode", "discountCents", "shipsTo", "shippingCents"
  ), seen AS (
    INSERT INTO "PurchaseRecord" ("orderId", "description", "shippingNote", "endTime", "imageKeys", "termsDate", "ip")
    SELECT :orderId, "description", "shippingNote", "endTime",
           ARRAY(SELECT i."key" FROM "DropImage" i WHERE i."dropId" = priced."id" ORDER BY i."position"), :termsDate, :ip
      FROM priced
  )
  SELECT placed.*, hold."expiresAt", hold."isContested" FROM placed, hold`
}
