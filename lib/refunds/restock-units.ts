import 'server-only'
import type { Context } from '@/lib/infra/context'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { unitsWithKeys } from './return-keys'

/**
 * Puts units of a refunded order back on sale while the run they were sold in is still live (docs/product.md#refunds).
 * The hold is reduced by these units, or released when it has no others, so no unit is put back twice. Units without
 * a free key stay off sale (docs/product.md#keys). Units of a numbered drop stay off sale, because the number of a
 * refunded unit is retired (ADR 0056).
 */
export async function restockUnits(tx: Context, holdId: string, refunded: number): Promise<void> {
  const units = refunded === 0 ? 0 : await unitsWithKeys(tx, holdId, refunded)
  if (units === 0) return
  await tx.sql(
    'restock-units',
    `WITH back AS (
       UPDATE "Drop" d SET ${stockSql.restock('LEAST(h."quantity", :units::int)')} FROM "Hold" h
        WHERE h."id" = :holdId AND d."id" = h."dropId" AND d."run" = h."run" AND h."state" = 'sold'
          AND d."endTime" > now() AND d."archivedAt" IS NULL AND d."hiddenAt" IS NULL AND NOT d."isNumbered"
       RETURNING d."id" AS "dropId", h."id", h."run", h."valueId", LEAST(h."quantity", :units::int) AS "units"
     ), value AS (
       UPDATE "OptionValue" v SET ${valueSql.restock('back."units"')} FROM back WHERE v."id" = back."valueId"
     ), freed AS (
       UPDATE "Hold" h SET "state" = CASE WHEN h."quantity" = back."units" THEN 'released' ELSE h."state" END,
              "reason" = 'refunded', "quantity" = h."quantity" - CASE WHEN h."quantity" = back."units" THEN 0 ELSE back."units" END
         FROM back WHERE h."id" = back."id"
     )
     UPDATE "DropRun" r SET ${stockSql.takeFromRun('back."units"')} FROM back
      WHERE r."dropId" = back."dropId" AND r."run" = back."run" AND r."sold" >= back."units"`,
    { holdId, units },
  )
}
