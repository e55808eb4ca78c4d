import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import { dropSql } from '@/lib/drops/drop-sql'
import { earlySql, usesLink } from '@/lib/stock/early-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'

/** Whether the yielded hold of the payment `unpaid` can still be paid, even if the drop `d` has ended since. */
const STAYS_PAYABLE = `(unpaid."reason" = 'yielded' AND d."hiddenAt" IS NULL
  AND d."moderation" = 'allowed' AND u."deletedAt" IS NULL AND NOT ${SUSPENDED})`

/**
 * Which units a payment may get after its hold was released (docs/product.md#paid-too-late), as parts of SQL
 * statements. markPaid() and the check before a wallet pays must agree on them. Otherwise a wallet would be charged for
 * units that the payment does not get, and the platform would pay the card fee of the refund. `unpaid` is the order
 * with its hold.
 */
export const lateUnitsSql = {
  /**
   * The number of free units of the drop `d`, or of the value `v` of its option if there is one. A value of an open
   * edition can have more free units than the drop. Before the public start, only early units are free.
   * @param valueId an SQL expression for the id of the value; null without one
   */
  free: (valueId: string) =>
    `LEAST(${stockSql.free}, CASE WHEN ${valueId} IS NOT NULL THEN ${valueSql.free} END, CASE WHEN d."startedAt" > now() THEN ${earlySql.left} END)`,
  /**
   * Whether the units of a hold `c` may go to such a payment: the hold is unpaid and contested, and its buyer does not
   * wait in line. A unit of an open edition can become any value, so the value of the hold does not matter there.
   */
  isContested: (dropId: string, valueId: string) =>
    `c."dropId" = ${dropId} AND c."state" = 'held' AND c."isContested" AND c."opensAt" IS NULL
       AND (c."valueId" IS NOT DISTINCT FROM ${valueId}
            OR EXISTS (SELECT 1 FROM "Drop" x WHERE x."id" = ${dropId} AND x."isOpenEdition"))`,
  /**
   * Whether the drop `d` of the seller `u` sells to the payment. Only the run in which the units were held does,
   * because units of another run would be counted for the wrong one.
   */
  isOnSale: `(d."run" = unpaid."run" AND (${dropSql.isLive} OR ${STAYS_PAYABLE}))`,
  /**
   * A numbered run or an open edition that has ended sells no more units, so that "17 of 62" and "62 were ordered" stay
   * true. The clock is read when the row is checked, because the transaction may have begun before the end and waited.
   */
  mayRetake: `(NOT (d."isNumbered" OR d."isOpenEdition") OR (d."run" = unpaid."run" AND d."endTime" > clock_timestamp()))`,
  /**
   * Before the public start, a payment needs early units, and the follower's link must not be in use elsewhere.
   * @param hold the alias of a row with the quantity and the link of the hold
   * @param holdId an SQL expression for the id of the hold
   */
  mayRetakeEarly: (hold: string, holdId: string) =>
    `(d."startedAt" <= now() OR (${earlySql.isOpen} AND ${earlySql.left} >= ${hold}."quantity"
    AND NOT EXISTS (SELECT 1 FROM "Hold" x WHERE x."earlyLinkId" = ${hold}."earlyLinkId" AND x."id" <> ${holdId} AND ${usesLink('x')})))`,
} as const
