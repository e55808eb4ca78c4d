import 'server-only'
import { zoneSql } from '@/lib/drops/delivery/zone-sql'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { earlySale, publicSale, type Sale } from '../choices/early-sale'
import { feeCentsSql } from '../settlement/fee-cents-sql'
import { MAY_HOLD, MAY_HOLD_VALUE, MAY_USE_CODE } from './may-hold'
import { LOCKED_UNPAID, LOCKED_VALUE_UNPAID, ownHoldsSql } from './read-checkout-load'

/**
 * The day by which a unit of the drop `d` that is bought now is shipped, as the midnight (UTC) at which this day
 * begins. It must be the same day as that of shipDay() in lib/drops/delivery/ship-rules.ts, which the drop page shows.
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

/** The condition under which a discount code `c` of the drop `d` may be used. */
const MAY_REDEEM = `c."id" = :codeId::int AND c."dropId" = d."id" AND ${codeSql.isCurrent} AND ${codeSql.isFree}
  AND ${codeSql.isChargeable('d."priceCents"')} AND ${MAY_USE_CODE}`
/** The columns that a discount code `c` adds to `able`. */
const DISCOUNT = `c."id" AS "codeId", c."code", ${codeSql.offCents('d."priceCents"')} AS "offCents"`
/** The part of a statement that counts the use of the code in `able`. */
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

type TakeParts = Record<'own' | 'taken' | 'title' | 'name' | 'value' | 'valueId' | 'excess' | 'isLast', string> & {
  sale: Sale
  before?: string
  isCoded?: boolean
}

function holdUnitsSql({ sale, own, before = '', isCoded = false, ...parts }: TakeParts): string {
  const { taken, title, name, value, valueId, excess, isLast } = parts
  const coded = isCoded ? CODED : NOT_CODED
  return `
  WITH origin AS MATERIALIZED (${own}), ${before}taken AS (
    ${taken}
    RETURNING d."id", d."run", d."userId", u."plan",
      ${title} AS "title", ${name} AS "optionName", ${value} AS "optionValue", ${valueId} AS "valueId",
      d."description", d."shippingNote", d."endTime", d."productType",
      ${SHIPS_FROM} AS "shipsFrom", ${SHIPS_BY} AS "shipsBy",
      :shipsTo::text AS "shipsTo", ${zoneSql.cents(':shipsTo::text')} AS "shippingCents",
      ${coded.price} AS "priceCents",
      ((${coded.price})::bigint * :quantity)::int + ${zoneSql.cents(':shipsTo::text')} AS "amountCents"${coded.discount},
      CASE WHEN u."plan" = 'pro' OR u."isAdmin" THEN :proBps::int ELSE :freeBps::int END AS "feeBps",
      :originKey::text IS NOT NULL AND (${excess} > 0 OR :workId::text IS NOT NULL AND ${isLast}) AS "isContested"
  ), priced AS (
    SELECT taken.*, ${feeCentsSql('taken."amountCents"', '"feeBps"')} AS "feeCents" FROM taken
  ), hold AS (
    INSERT INTO "Hold" ("id", "dropId", "run", "valueId", "mode", "buyerKey", "quantity",
                        "originKey", "workId", "tapId", "isContested", "expiresAt"${coded.holdColumns}${sale.holdColumns})
    SELECT :holdId, "id", "run", "valueId", :mode::"CheckoutMode", :buyerKey, :quantity,
           :originKey, :workId, :tapId, "isContested",
           now() + make_interval(secs => (CASE WHEN "isContested" THEN :contestedMs ELSE :holdMs END)::float8 / 1000)
           ${coded.holdValues}${sale.holdValues}
      FROM priced
    RETURNING "id", "expiresAt", "isContested"
  ), placed AS (
    INSERT INTO "Order" ("id", "token", "holdId", "dropId", "sellerId", "sellerPlan",
                         "dropTitle", "optionName", "optionValue", "productType", "quantity",
                         "unitPriceCents", "amountCents", "platformFeeBps", "platformFeeCents", "sellerPayoutCents",
                         "shipsFrom", "shipsBy", "shipsTo", "shippingCents"${coded.orderColumns}${sale.orderColumns})
    SELECT :orderId, :token, hold."id", priced."id", "userId", "plan",
           "title", "optionName", "optionValue", "productType", :quantity,
           "priceCents", "amountCents", "feeBps", "feeCents", "amountCents" - "feeCents",
           "shipsFrom", "shipsBy", "shipsTo", "shippingCents"${coded.orderValues}${sale.orderValues}
      FROM priced, hold
    RETURNING "amountCents", "unitPriceCents", "dropTitle" AS "title", "optionName", "optionValue",
              "discountCode", "discountCents", "shipsTo", "shippingCents"
  ), seen AS (
    INSERT INTO "PurchaseRecord" ("orderId", "description", "shippingNote", "endTime", "imageKeys", "termsDate", "ip")
    SELECT :orderId, "description", "shippingNote", "endTime",
           ARRAY(SELECT i."key" FROM "DropImage" i WHERE i."dropId" = priced."id" ORDER BY i."position"), :termsDate, :ip
      FROM priced
  )
  SELECT placed.*, hold."expiresAt", hold."isContested" FROM placed, hold`
}

/** What the order stores about a drop without options, and whether its last unit is taken. */
const OF_WHOLE = {
  title: 'd."title"',
  name: 'NULL::text',
  value: 'NULL::text',
  valueId: 'NULL::int',
  isLast: stockSql.takesLast('0'),
}
/** The same for one value of a drop's option, which the statement has in `value`. */
const OF_VALUE = {
  title: `d."title" || ' (' || d."optionName" || ' ' || value."value" || ')'`,
  name: 'd."optionName"',
  value: 'value."value"',
  valueId: 'value."id"',
  isLast: `(${stockSql.takesLast('0')} OR value."isLast")`,
}

/**
 * The statement for a drop without options. It takes nothing from a drop with options, because the drop's sums would
 * then differ from those of its values.
 */
const takeWhole = (sale: Sale) =>
  holdUnitsSql({
    sale,
    own: ownHoldsSql(LOCKED_UNPAID),
    taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')}${sale.alsoTake} FROM "User" u, origin o
     WHERE ${mayTake(sale)} AND d."optionName" IS NULL`,
    ...OF_WHOLE,
    excess: stockSql.excess,
  })

/**
 * The statement for one value of a drop's option. The drop's row is locked first. The units are then taken from the
 * value under a condition of its own, and after that from the drop. Neither row changes in between, because every such
 * statement locks the drop first.
 */
const takeValue = (sale: Sale) =>
  holdUnitsSql({
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
    ...OF_VALUE,
    excess: `GREATEST(${stockSql.excess}, value."excess")`,
  })

/**
 * The statement for a drop without options and with a discount code. The rows of the drop and of the code are locked
 * together, the drop first. The conditions are checked against the locked rows, and only then are the units taken and
 * the use counted.
 */
const takeCoded = (sale: Sale) =>
  holdUnitsSql({
    sale,
    own: ownHoldsSql(LOCKED_UNPAID),
    before: `able AS MATERIALIZED (
    SELECT d."id", ${DISCOUNT} FROM "Drop" d, "User" u, origin o, "DiscountCode" c
     WHERE ${mayTake(sale)} AND d."optionName" IS NULL AND ${MAY_REDEEM}
       FOR NO KEY UPDATE OF d, c
  ), ${REDEEMED}, `,
    taken: `UPDATE "Drop" d SET ${stockSql.take(':quantity')}${sale.alsoTake} FROM "User" u, able, redeemed
     WHERE d."id" = able."id" AND u."id" = d."userId"`,
    ...OF_WHOLE,
    excess: `GREATEST(${stockSql.excess}, redeemed."codeExcess")`,
    isCoded: true,
  })

/** The statement for one value with a discount code. The row of the value is locked after that of the drop. */
const takeCodedValue = (sale: Sale) =>
  holdUnitsSql({
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
    ...OF_VALUE,
    excess: `GREATEST(${stockSql.excess}, value."excess", redeemed."codeExcess")`,
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

/**
 * Returns the statement of takeHold() and its name. Purchases with a follower's link have statements of their own, and
 * so have those with a discount code and those of one value of a drop's option.
 */
export function takeHoldSql(input: { earlyLinkId: unknown; codeId: unknown; valueId: unknown }): {
  name: string
  statement: string
} {
  const statements = input.earlyLinkId ? EARLY_STATEMENTS : STATEMENTS
  return statements[input.codeId ? 'coded' : 'plain'][input.valueId ? 'value' : 'whole']
}
