import 'server-only'
import type { Database } from '@/lib/infra/db'
import { KEPT_UNPAID_SECONDS, LASTING_SECONDS, type CheckoutLoad, RUSH_SECONDS } from '@/lib/stock/rules'
import { codeSql } from '@/lib/stock/code-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { keptPart } from '../queries'

/**
 * The least weight of a checkout that ended unpaid. Each has cost a place in the line and a call at Stripe, however
 * soon it was closed. Without it, one network could open and close checkouts without end and without work.
 */
export const CLOSED_PART = 1 / 60

/** How many units one network has in checkout at this drop. */
const UNPAID = `COALESCE(sum(h."quantity") FILTER (WHERE h."state" = 'held' AND h."dropId" = :dropId), 0)::int`

/** How many units of the wanted value of the drop's option one network has in checkout. */
const VALUE_UNPAID = `COALESCE(sum(h."quantity") FILTER (WHERE h."state" = 'held' AND h."valueId" = :valueId::int), 0)::int`

/**
 * The same counts after every other call of this network for this drop has committed. The database function takes a
 * lock, counts, and keeps the lock until the transaction ends. A count in the statement itself would see only what was
 * committed before the statement began.
 */
export const LOCKED_UNPAID = 'lock_units_in_checkout(:originKey, :dropId)'
export const LOCKED_VALUE_UNPAID = 'lock_units_in_checkout(:originKey, :dropId, :valueId::int)'

/**
 * SQL: counts one network's holds that are open or ended within the last two hours. The columns are the units in
 * checkout at this drop and, over all drops, the checkouts that ended unpaid, that were paid, and that have a place in
 * line. A checkout that ended unpaid counts in proportion to how long it kept its units, up to ten minutes, and never
 * less than CLOSED_PART. Its weight halves every fifteen minutes. A place in line counts until its turn even if its
 * buyer has left, because the place is not given to anyone else.
 * @param unpaid the SQL expression that counts the units in checkout
 * @param valueUnpaid the SQL expression that counts the units in checkout of one value of the drop's option
 */
export const ownHoldsSql = (unpaid: string, valueUnpaid = '0') => `
  SELECT ${unpaid} AS "unpaid", ${valueUnpaid} AS "valueUnpaid",
         COALESCE(sum(GREATEST(${keptPart('h."settledAt"')}, ${CLOSED_PART})
                      * power(0.5, extract(epoch FROM now() - h."settledAt") / 900))
                  FILTER (WHERE ${stockSql.endedUnpaid('h')}), 0)::float8 AS "expired",
         (count(*) FILTER (WHERE h."state" = 'sold'))::int AS "paid",
         (count(*) FILTER (WHERE h."state" <> 'sold' AND h."opensAt" > now()))::int AS "waiting"
    FROM "Hold" h WHERE h."originKey" = :originKey`

/**
 * SQL: whether an unpaid checkout `w`, open or ended, began within the last half hour but longer ago than a rush lasts
 * (docs/product.md#when-many-buy-at-once).
 */
const isLastingSql = (where: string) => `EXISTS (
  SELECT 1 FROM "Hold" w WHERE ${where} AND w."run" = d."run" AND w."state" <> 'sold' AND w."originKey" IS NOT NULL
     AND (w."state" = 'held' OR ${stockSql.endedUnpaid('w')})
     AND w."createdAt" <= now() - interval '${RUSH_SECONDS} seconds'
     AND w."createdAt" > now() - interval '${LASTING_SECONDS} seconds')`

export const IS_LASTING = isLastingSql('w."dropId" = d."id"')
/** The same condition for one value `v` of the drop's option. */
export const VALUE_IS_LASTING = isLastingSql('w."valueId" = v."id"')

/** The same condition for the checkouts with the discount code `c`. */
export const CODE_IS_LASTING = isLastingSql('w."codeId" = c."id"')

/**
 * SQL: whether a checkout `w` ended unpaid within the last half hour and had kept its units for more than a minute. The
 * condition on `createdAt` only keeps the search short.
 */
const wasKeptUnpaidSql = (where: string) => `EXISTS (
  SELECT 1 FROM "Hold" w WHERE ${where} AND w."run" = d."run" AND w."originKey" IS NOT NULL AND ${stockSql.endedUnpaid('w')}
     AND w."settledAt" > now() - interval '${LASTING_SECONDS} seconds'
     AND w."createdAt" > now() - interval '${3 * LASTING_SECONDS} seconds'
     AND w."settledAt" - w."createdAt" > interval '${KEPT_UNPAID_SECONDS} seconds')`

export const WAS_KEPT_UNPAID = wasKeptUnpaidSql('w."dropId" = d."id"')
/** The same condition for one value `v` of the drop's option. */
export const VALUE_WAS_KEPT_UNPAID = wasKeptUnpaidSql('w."valueId" = v."id"')

/**
 * The units in checkout of a drop, or of the value of its option whose id is given, or the uses in checkout of a
 * discount code. A network's part of the uses has no limit of its own, so `ownUnpaid` of a code is 0.
 */
export type CheckoutLoadOf = CheckoutLoad & { of: 'drop' | 'value' | 'code'; valueId: number | null }

/**
 * Reads how many units of a drop and, for a drop with options, of the wanted value are in checkout now. With a discount
 * code whose uses are limited, it also reads how many uses are. Each row of units says how many of them one network
 * has.
 */
export function readCheckoutLoad(
  { sql }: Database,
  wanted: { dropId: number; valueId: number | null; codeId: number | null; originKey: string },
): Promise<CheckoutLoadOf[]> {
  return sql<CheckoutLoadOf>(
    'read-checkout-load',
    `WITH origin AS MATERIALIZED (${ownHoldsSql(UNPAID, VALUE_UNPAID)})
     SELECT 'drop' AS "of", NULL::int AS "valueId", ${stockSql.onOffer} AS "unsold", d."held" AS "unpaid", ${IS_LASTING} AS "isLasting",
            ${WAS_KEPT_UNPAID} AS "wasKeptUnpaid", o."unpaid" AS "ownUnpaid", o."expired" AS "ownExpired", o."paid" AS "ownPaid",
            o."waiting" AS "ownWaiting"
       FROM "Drop" d, origin o WHERE d."id" = :dropId
     UNION ALL
     SELECT 'value', v."id", ${valueSql.unsold}, v."held", ${VALUE_IS_LASTING}, ${VALUE_WAS_KEPT_UNPAID},
            o."valueUnpaid", o."expired", o."paid", o."waiting"
       FROM "OptionValue" v JOIN "Drop" d ON d."id" = v."dropId", origin o WHERE d."id" = :dropId AND v."id" = :valueId::int
     UNION ALL
     SELECT 'code', NULL, ${codeSql.unsold}, c."held", ${CODE_IS_LASTING}, false, 0, o."expired", o."paid", o."waiting"
       FROM "DiscountCode" c JOIN "Drop" d ON d."id" = c."dropId", origin o
      WHERE d."id" = :dropId AND c."id" = :codeId::int AND c."maxUses" IS NOT NULL`,
    wanted,
  )
}
