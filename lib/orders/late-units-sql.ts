import 'server-only'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'

/**
 * Which units a payment may get after its hold was released (docs/product.md#paid-too-late), as parts of SQL
 * statements. markPaid() and the check before a wallet pays must agree on them. Otherwise a wallet would be charged for
 * units that the payment does not get, and the platform would pay the card fee of the refund.
 */
export const lateUnitsSql = {
  /**
   * The number of free units of the drop `d`, or of the value `v` of its option if there is one.
   * @param valueId an SQL expression for the id of the value; null without one
   */
  free: (valueId: string) => `CASE WHEN ${valueId} IS NULL THEN ${stockSql.free} ELSE ${valueSql.free} END`,
  /**
   * Whether the units of a hold `c` may go to such a payment: the hold is unpaid and contested, and its buyer does not
   * wait in line.
   */
  isContested: (dropId: string, valueId: string) =>
    `c."dropId" = ${dropId} AND c."state" = 'held' AND c."isContested" AND c."opensAt" IS NULL
       AND c."valueId" IS NOT DISTINCT FROM ${valueId}`,
} as const
