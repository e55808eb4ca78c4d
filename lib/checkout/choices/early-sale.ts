import 'server-only'
import { dropSql } from '@/lib/drops/drop-sql'
import { earlySql, isUsableLink } from '@/lib/stock/early-sql'

/**
 * The parts of the SQL that differ between a purchase during early access and any other purchase: when the drop can be
 * bought, what else is assigned when the units are taken, and what the hold and the order store.
 */
export const publicSale = {
  prefix: 'take',
  isOpen: dropSql.isLive,
  alsoTake: '',
  holdColumns: '',
  holdValues: '',
  orderColumns: '',
  orderValues: '',
}
export type Sale = typeof publicSale

export const earlySale: Sale = {
  prefix: 'take-early',
  isOpen: `${dropSql.isOpenEarly} AND ${earlySql.left} >= :quantity AND ${isUsableLink(':earlyLinkId::int')}`,
  alsoTake: `, ${earlySql.take(':quantity')}`,
  holdColumns: ', "earlyLinkId"',
  holdValues: ', :earlyLinkId::int',
  orderColumns: ', "isEarly"',
  orderValues: ', true',
}
