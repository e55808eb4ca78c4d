import 'server-only'
import type { Context } from '@/lib/infra/context'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'

/** How many units were taken off sale again, and how many may have been sold to other buyers meanwhile. */
export type UnitsAgain = { taken: number; missing: number }

/**
 * Takes units off sale again after the bank has rejected the refund with which they went back on sale. They belong to
 * the order's buyer, so nobody else may buy them. Units that are not free anymore, or whose run is over, are missing.
 * Call this function after the refund has failed and with the hold and the order locked. Call it before the order gets
 * keys, because an order gets no key for a unit that is on sale.
 */
export async function takeUnitsAgain(tx: Pick<Context, 'sql'>, orderId: string): Promise<UnitsAgain> {
  // All changes of the stock lock the drop's row first, so the free units cannot change after this statement.
  await tx.sql('lock-drop-of-refunded', LOCK_DROP, { orderId })
  const [units] = await tx.sql<{ wanted: number; free: number }>('units-to-take-again', WANTED, { orderId })
  if (!units) return { taken: 0, missing: 0 }
  const taken = Math.min(units.wanted, units.free)
  if (taken > 0) await tx.sql('take-units-again', TAKE, { orderId, units: taken })
  return { taken, missing: units.wanted - taken }
}

const LOCK_DROP = `
  SELECT 1 FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "Drop" d ON d."id" = o."dropId"
   WHERE o."id" = :orderId AND h."reason" = 'refunded' FOR NO KEY UPDATE OF d`

/**
 * Selects how many of an order's units are on sale although no refund returned their price, and how many units are
 * free. Before the public start, the database refuses to sell units that followers do not take.
 */
const WANTED = `
  SELECT u."wanted", CASE WHEN d."run" = h."run" AND d."startedAt" <= now() AND (d."optionName" IS NULL) = (v."id" IS NULL)
                          THEN GREATEST(0, LEAST(${stockSql.free}, ${valueSql.free})) ELSE 0 END AS "free"
    FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "Drop" d ON d."id" = o."dropId"
    LEFT JOIN "OptionValue" v ON v."id" = h."valueId", LATERAL (
           SELECT (o."quantity" - CASE WHEN h."state" = 'sold' THEN h."quantity" ELSE 0 END
                   - COALESCE(sum(r."restockUnits"), 0))::int AS "wanted"
             FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'succeeded') u
   WHERE o."id" = :orderId AND h."reason" = 'refunded' AND u."wanted" > 0`

const TAKE = `
  WITH taken AS (
    UPDATE "Drop" d SET ${stockSql.sellAgain(':units::int')} FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
     WHERE o."id" = :orderId AND d."id" = o."dropId" RETURNING d."id" AS "dropId", h."id" AS "holdId", h."run", h."valueId"
  ), value AS (
    UPDATE "OptionValue" v SET ${valueSql.sellAgain(':units::int')} FROM taken WHERE v."id" = taken."valueId"
  ), kept AS (
    UPDATE "Hold" h SET "quantity" = CASE WHEN h."state" = 'sold' THEN h."quantity" ELSE 0 END + :units::int, "state" = 'sold'
      FROM taken WHERE h."id" = taken."holdId"
  )
  UPDATE "DropRun" r SET ${stockSql.addToRun(':units::int')} FROM taken
   WHERE r."dropId" = taken."dropId" AND r."run" = taken."run"`
