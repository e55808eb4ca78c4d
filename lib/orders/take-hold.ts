import 'server-only'
import type { CheckoutMode } from '@prisma/client'
import { LIVE_DROP } from '@/lib/drops/queries'
import type { Context } from '@/lib/infra/context'
import { policiesDated } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import { EXPIRED_WITHOUT_WORK, ONE_ORDER, OWN_PART } from '@/lib/stock/rules'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { IS_LASTING, LOCKED_UNPAID, LOCKED_VALUE_UNPAID, ownHoldsSql, VALUE_IS_LASTING } from './queries'
import { CONTESTED_HOLD_MS } from './rules'

export type TakenHold = {
  holdId: string
  orderId: string
  token: string
  /** What is sold, as the order keeps it: the title of the drop, with the chosen value in brackets. */
  title: string
  /** The chosen value of the drop's option, as the order keeps it; both are null without options. */
  optionName: string | null
  optionValue: string | null
  /** The discount code, and what it takes off all units together; null and 0 without one. */
  discountCode: string | null
  discountCents: number
  amountCents: number
  /**
   * What one unit costs this buyer, stored with the hold. The amount Stripe charges is calculated from it and never from
   * the drop.
   */
  unitPriceCents: number
  expiresAt: Date
  /**
   * Whether more than half of the unsold units, of the drop or of the value, were unpaid when this hold was taken. Its units may then go back on sale
   * before it ends, and it can still be paid (ADR 0050).
   */
  isContested: boolean
  /** Stripe was asked for this order before, and the result is unknown. */
  isRetry: boolean
}

/**
 * A proof of work that is enough for a network as long as it has at most `mostUnpaid` units in checkout, and at most
 * `mostValueUnpaid` of the wanted value, those of this hold included. Above that a hold costs more.
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
  /** Identifies the buyer. A unique index refuses a second open hold of one buyer on one drop. */
  buyerKey: string
  mode: CheckoutMode
  holdMs: number
  /**
   * The network the buyer comes from, and the work that was done for this hold; null when none was done.
   * Without an origin nothing is limited, as for a unit that is offered to the waitlist, where offerFreedUnits() limits it.
   */
  origin?: { key: string; work: DoneWork | null }
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
 * constraint is a second safeguard (docs/product.md#holds). It commits by itself: in a longer transaction every other
 * buyer of the drop would wait for its answers to travel to the application and back (docs/performance.md#the-hot-row).
 * Calls from one network for one drop run one after the other, so that each counts the units that the others took
 * (docs/product.md#when-many-buy-at-once).
 * A discount code is redeemed by the same statement: it is another one, so that buyers without a code wait for nothing
 * (ADR 0055).
 * @returns null when the drop is not live, is over by the database's clock, has too few units left, when the code can no
 *   longer be used, or when work has to be done first.
 * @throws a unique violation when this buyer already has an open hold on the drop, or when the work was used before.
 */
export async function takeHold({ sql }: Pick<Context, 'sql'>, input: HoldInput): Promise<TakenHold | null> {
  const ids = { holdId: newId('hold'), orderId: newId('ord'), token: newSecret() }
  const { valueId, codeId } = input
  const { name, statement } = STATEMENTS[codeId ? 'coded' : 'plain'][valueId ? 'value' : 'whole']
  const [row] = await sql<Omit<TakenHold, keyof typeof ids | 'isRetry'>>(name, statement, {
    dropId: input.dropId,
    ...(valueId ? { valueId, mostValueUnpaid: input.origin?.work?.mostValueUnpaid ?? null } : {}),
    ...(codeId ? { codeId } : {}),
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
    workId: input.origin?.work?.id ?? null,
    mostUnpaid: input.origin?.work?.mostUnpaid ?? null,
    termsDate: policiesDated.iso,
    ip: input.ip ?? '',
  })
  return row ? { ...ids, ...row, isRetry: false } : null
}

type PressureParts = { isCrowded: string; isLasting: string; unpaid: string; mostUnpaid: string; unsold: string }

/**
 * The condition under which no more work is needed: the hold has no origin, enough work is done, or neither the state of
 * the drop nor the earlier holds of the origin call for any (ADR 0050).
 */
const mayHoldSql = ({ isCrowded, isLasting, unpaid, mostUnpaid, unsold }: PressureParts) => `(:originKey::text IS NULL
  OR (:workId::text IS NOT NULL AND ${unpaid} + :quantity <= ${mostUnpaid}::int) OR (
  NOT (${isCrowded} AND ${isLasting}) AND o."expired" < ${EXPIRED_WITHOUT_WORK} * (1 + o."paid")
  AND ${unpaid} + :quantity <= GREATEST(${ONE_ORDER}, ${unsold} * ${OWN_PART})))`

const MAY_HOLD = mayHoldSql({
  isCrowded: stockSql.isCrowded(':quantity'),
  isLasting: IS_LASTING,
  unpaid: 'o."unpaid"',
  mostUnpaid: ':mostUnpaid',
  unsold: stockSql.unsold,
})

/** The same for the units of one value `v`: they can be scarce while the drop has many others. */
const MAY_HOLD_VALUE = mayHoldSql({
  isCrowded: valueSql.isCrowded(':quantity'),
  isLasting: VALUE_IS_LASTING,
  unpaid: 'o."valueUnpaid"',
  mostUnpaid: ':mostValueUnpaid',
  unsold: valueSql.unsold,
})

/** The condition under which the units of a drop `d` of its seller `u` may be held; `o` is what the origin has. */
const MAY_TAKE = `d."id" = :dropId AND u."id" = d."userId" AND ${LIVE_DROP} AND ${stockSql.free} >= :quantity AND ${MAY_HOLD}`

/** The condition under which a discount code `c` of the drop `d` may be used, and what it takes off. */
const MAY_REDEEM = `c."id" = :codeId::int AND c."dropId" = d."id" AND ${codeSql.isCurrent} AND ${codeSql.isFree}
  AND ${codeSql.isChargeable('d."priceCents"')}`
const DISCOUNT = `c."id" AS "codeId", c."code", ${codeSql.offCents('d."priceCents"')} AS "offCents"`
const REDEEMED = `redeemed AS (
    UPDATE "DiscountCode" c SET ${codeSql.take} FROM able WHERE c."id" = able."codeId"
  )`

/** What a discount code adds to the parts of the statement; `able` has the code and what it takes off one unit. */
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

/** The statement for a drop without options. With options a value has to be named, or the drop's sums would be wrong. */
const TAKE_HOLD = takeHoldSql({
  own: ownHoldsSql(LOCKED_UNPAID),
  taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')} FROM "User" u, origin o WHERE ${MAY_TAKE} AND d."optionName" IS NULL`,
  title: 'd."title"',
  name: 'NULL::text',
  value: 'NULL::text',
  valueId: 'NULL::int',
  excess: stockSql.excess,
})

/**
 * The same for one value of a drop's option: the drop's row is locked, then the units are taken from the value under its own
 * condition, and only then from the drop. Neither changes in between, because every such statement locks the drop first.
 */
const TAKE_VALUE_HOLD = takeHoldSql({
  own: ownHoldsSql(LOCKED_UNPAID, LOCKED_VALUE_UNPAID),
  before: `able AS MATERIALIZED (
    SELECT d."id", d."run" FROM "Drop" d, "User" u, origin o WHERE ${MAY_TAKE} AND d."optionName" IS NOT NULL
       FOR NO KEY UPDATE OF d
  ), value AS (
    UPDATE "OptionValue" v SET ${valueSql.take(':quantity')} FROM able d, origin o
     WHERE v."id" = :valueId::int AND v."dropId" = d."id" AND ${valueSql.free} >= :quantity AND ${MAY_HOLD_VALUE}
    RETURNING v."id", v."dropId", v."value", ${valueSql.excess} AS "excess"
  ), `,
  taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')} FROM "User" u, value
     WHERE d."id" = value."dropId" AND u."id" = d."userId"`,
  title: `d."title" || ' (' || d."optionName" || ' ' || value."value" || ')'`,
  name: 'd."optionName"',
  value: 'value."value"',
  valueId: 'value."id"',
  excess: `GREATEST(${stockSql.excess}, value."excess")`,
})

/**
 * The same with a discount code. The rows of the drop and of the code are locked together, the drop first, and their conditions
 * hold for the rows as they are then. Only then are the units taken and the use counted.
 */
const TAKE_CODED_HOLD = takeHoldSql({
  own: ownHoldsSql(LOCKED_UNPAID),
  before: `able AS MATERIALIZED (
    SELECT d."id", ${DISCOUNT} FROM "Drop" d, "User" u, origin o, "DiscountCode" c
     WHERE ${MAY_TAKE} AND d."optionName" IS NULL AND ${MAY_REDEEM}
       FOR NO KEY UPDATE OF d, c
  ), ${REDEEMED}, `,
  taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')} FROM "User" u, able
     WHERE d."id" = able."id" AND u."id" = d."userId"`,
  title: 'd."title"',
  name: 'NULL::text',
  value: 'NULL::text',
  valueId: 'NULL::int',
  excess: stockSql.excess,
  isCoded: true,
})

/** The same for one value of a drop's option, whose row is locked after the drop's. */
const TAKE_CODED_VALUE_HOLD = takeHoldSql({
  own: ownHoldsSql(LOCKED_UNPAID, LOCKED_VALUE_UNPAID),
  before: `able AS MATERIALIZED (
    SELECT d."id", v."id" AS "valueId", ${DISCOUNT} FROM "Drop" d, "User" u, origin o, "OptionValue" v, "DiscountCode" c
     WHERE ${MAY_TAKE} AND d."optionName" IS NOT NULL AND v."id" = :valueId::int AND v."dropId" = d."id"
       AND ${valueSql.free} >= :quantity AND ${MAY_HOLD_VALUE} AND ${MAY_REDEEM}
       FOR NO KEY UPDATE OF d, v, c
  ), ${REDEEMED}, value AS (
    UPDATE "OptionValue" v SET ${valueSql.take(':quantity')} FROM able WHERE v."id" = able."valueId"
    RETURNING v."id", v."value", ${valueSql.excess} AS "excess"
  ), `,
  taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')} FROM "User" u, able, value
     WHERE d."id" = able."id" AND u."id" = d."userId"`,
  title: `d."title" || ' (' || d."optionName" || ' ' || value."value" || ')'`,
  name: 'd."optionName"',
  value: 'value."value"',
  valueId: 'value."id"',
  excess: `GREATEST(${stockSql.excess}, value."excess")`,
  isCoded: true,
})

const STATEMENTS = {
  plain: {
    whole: { name: 'take-hold', statement: TAKE_HOLD },
    value: { name: 'take-value-hold', statement: TAKE_VALUE_HOLD },
  },
  coded: {
    whole: { name: 'take-coded-hold', statement: TAKE_CODED_HOLD },
    value: { name: 'take-coded-value-hold', statement: TAKE_CODED_VALUE_HOLD },
  },
}

type TakeParts = Record<'own' | 'taken' | 'title' | 'name' | 'value' | 'valueId' | 'excess', string> & {
  before?: string
  isCoded?: boolean
}

function takeHoldSql({ own, before = '', isCoded = false, ...parts }: TakeParts): string {
  const { taken, title, name, value, valueId, excess } = parts
  const coded = isCoded ? CODED : NOT_CODED
  return `
  WITH origin AS MATERIALIZED (${own}), ${before}taken AS (
    ${taken}
    RETURNING d."id", d."run", d."userId", ${title} AS "title", ${name} AS "optionName", ${value} AS "optionValue",
      ${valueId} AS "valueId", d."description", d."shippingNote", d."endTime", d."productType", ${coded.price} AS "priceCents", u."plan",
      ((${coded.price})::bigint * :quantity)::int AS "amountCents"${coded.discount},
      CASE WHEN u."plan" = 'pro' OR u."isAdmin" THEN :proBps::int ELSE :freeBps::int END AS "feeBps",
      :originKey::text IS NOT NULL AND ${excess} > 0 AS "isContested"
  ), priced AS (
    SELECT taken.*, ${feeCentsSql('taken."amountCents"', '"feeBps"')} AS "feeCents" FROM taken
  ), hold AS (
    INSERT INTO "Hold" ("id", "dropId", "run", "valueId", "mode", "buyerKey", "quantity", "originKey", "workId", "isContested", "expiresAt"${coded.holdColumns})
    SELECT :holdId, "id", "run", "valueId", :mode::"CheckoutMode", :buyerKey, :quantity, :originKey, :workId, "isContested",
           now() + make_interval(secs => (CASE WHEN "isContested" THEN :contestedMs ELSE :holdMs END)::float8 / 1000)${coded.holdValues}
      FROM priced
    RETURNING "id", "expiresAt", "isContested"
  ), placed AS (
    INSERT INTO "Order" ("id", "token", "holdId", "dropId", "sellerId", "dropTitle", "optionName", "optionValue",
                         "productType", "quantity", "unitPriceCents", "amountCents", "platformFeeBps", "platformFeeCents", "sellerPayoutCents",
                         "sellerPlan"${coded.orderColumns})
    SELECT :orderId, :token, hold."id", priced."id", "userId", "title", "optionName", "optionValue", "productType", :quantity,
           "priceCents", "amountCents", "feeBps", "feeCents", "amountCents" - "feeCents", "plan"${coded.orderValues}
      FROM priced, hold
    RETURNING "amountCents", "unitPriceCents", "dropTitle" AS "title", "optionName", "optionValue", "discountCode", "discountCents"
  ), seen AS (
    INSERT INTO "PurchaseRecord" ("orderId", "description", "shippingNote", "endTime", "imageKeys", "termsDate", "ip")
    SELECT :orderId, "description", "shippingNote", "endTime",
           ARRAY(SELECT i."key" FROM "DropImage" i WHERE i."dropId" = priced."id" ORDER BY i."position"), :termsDate, :ip
      FROM priced
  )
  SELECT placed.*, hold."expiresAt", hold."isContested" FROM placed, hold`
}
