import 'server-only'
import { codeSql } from '@/lib/stock/code-sql'
import { EXPIRED_WITHOUT_WORK, OWN_WAITING } from '@/lib/stock/rules'
import { ownPartSql, stockSql, valueSql } from '@/lib/stock/stock-sql'
import {
  CODE_IS_LASTING,
  WAS_KEPT_UNPAID,
  IS_LASTING,
  VALUE_WAS_KEPT_UNPAID,
  VALUE_IS_LASTING,
} from './read-checkout-load'

type CheckoutLoadParts = Record<
  'isCrowded' | 'isLasting' | 'takesLast' | 'wasKeptUnpaid' | 'unpaid' | 'mostUnpaid' | 'unsold',
  string
>

/**
 * Returns the condition under which no more work is needed: the hold has no origin, enough work was done, or neither
 * the state of the drop nor the earlier holds of the origin require any (ADR 0050).
 */
const mayHoldSql = ({
  isCrowded,
  isLasting,
  takesLast,
  wasKeptUnpaid,
  unpaid,
  mostUnpaid,
  unsold,
}: CheckoutLoadParts) => `(:originKey::text IS NULL
  OR (:workId::text IS NOT NULL AND ${unpaid} + :quantity <= ${mostUnpaid}::int) OR (
  NOT (${isCrowded} AND ${isLasting}) AND NOT (${takesLast} AND ${wasKeptUnpaid})
  AND o."waiting" < ${OWN_WAITING} AND o."expired" < ${EXPIRED_WITHOUT_WORK} * (1 + o."paid")
  AND ${unpaid} + :quantity <= ${ownPartSql(unsold)}))`

/** The condition on the units of a drop `d`. */
export const MAY_HOLD = mayHoldSql({
  isCrowded: stockSql.isCrowded(':quantity'),
  isLasting: IS_LASTING,
  takesLast: stockSql.takesLast(':quantity'),
  wasKeptUnpaid: WAS_KEPT_UNPAID,
  unpaid: 'o."unpaid"',
  mostUnpaid: ':mostUnpaid',
  unsold: stockSql.onOffer,
})

/** The same condition for the units of one value `v`, which can be scarce while the drop has many others. */
export const MAY_HOLD_VALUE = mayHoldSql({
  isCrowded: valueSql.isCrowded(':quantity'),
  isLasting: VALUE_IS_LASTING,
  takesLast: valueSql.takesLast(':quantity'),
  wasKeptUnpaid: VALUE_WAS_KEPT_UNPAID,
  unpaid: 'o."valueUnpaid"',
  mostUnpaid: ':mostValueUnpaid',
  unsold: valueSql.unsold,
})

/**
 * The condition on the uses of a discount code `c`, of which one network could otherwise keep all. One order takes one
 * use. The last one or two uses need no work, because a code for one person would then be harder to use than others.
 */
export const MAY_USE_CODE = `(:originKey::text IS NULL OR :workId::text IS NOT NULL
  OR NOT (${codeSql.isCrowded} AND ${CODE_IS_LASTING}))`
