import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keySql } from '@/lib/stock/key-sql'
import { lockDropOfKeys } from '@/lib/orders/guards'

/**
 * Puts the keys of units whose price was refunded, or returned in a lost dispute, back into the drop's pool, the last
 * ones first. A key that the buyer has seen stays with the order, because the buyer could use it
 * (docs/product.md#keys). Call this function with the order's row locked, before the units go back on sale.
 */
export async function returnKeys(tx: Context, orderId: string): Promise<void> {
  if (!(await lockDropOfKeys(tx, orderId))) return
  await tx.sql(
    'return-keys',
    `WITH placed AS (
       SELECT k."id", row_number() OVER (ORDER BY ${keySql.sequence}) > ${keySql.unrefunded} AS "isRefunded"
         FROM "Order" o JOIN "DropKey" k ON k."orderId" = o."id" WHERE o."id" = :orderId
     )
     UPDATE "DropKey" k SET "orderId" = NULL, "givenAt" = NULL FROM placed
      WHERE k."id" = placed."id" AND placed."isRefunded" AND k."shownAt" IS NULL`,
    { orderId },
  )
}

/**
 * Returns how many of these refunded units can go back on sale: all of them, unless the drop hands out keys and too few
 * are free, because the buyer has seen some of the order's keys. Call it after returnKeys().
 */
export async function unitsWithKeys(tx: Context, holdId: string, units: number): Promise<number> {
  const [row] = await tx.sql<{ units: number }>(
    'units-with-keys',
    `SELECT CASE WHEN d."keysGiven" IS NULL THEN :units::int ELSE LEAST(:units::int, ${keySql.spare}) END AS "units"
       FROM "Hold" h JOIN "Drop" d ON d."id" = h."dropId" WHERE h."id" = :holdId`,
    { holdId, units },
  )
  return Math.max(0, row?.units ?? 0)
}
