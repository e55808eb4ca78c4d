import 'server-only'
import type { Context } from '@/lib/infra/context'
import { codeSql } from '@/lib/stock/code-sql'
import { earlySql } from '@/lib/stock/early-sql'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import type { LockedDrop } from './guards'

/** The units of one value of the drop's option in the new run, including those in checkout. */
export type NextValue = { id: number; quantity: number }

/**
 * Starts a new run of a drop that has ended, on the same link (docs/product.md#relaunching). Units still in checkout
 * from the previous run stay held. The drop's discount codes end, because their seller made them for the previous run
 * (ADR 0055). Call it with the seller's row and the drop's row locked.
 * @param next.quantity includes the units in checkout.
 * @param next.values contains every value of the drop's option, and their units add up to the quantity.
 */
export async function launchRun(
  tx: Context,
  drop: LockedDrop,
  next: { duration: number; quantity: number; isAutoRenew: boolean; values?: readonly NextValue[] },
): Promise<void> {
  const { duration, quantity, isAutoRenew, values = [] } = next
  await tx.sql(
    'launch-run',
    `WITH closed AS (
       UPDATE "DropRun" SET "renewDueAt" = NULL WHERE "dropId" = :dropId AND "run" = :run
     ), codes AS (
       UPDATE "DiscountCode" c SET "endedAt" = now() WHERE c."dropId" = :dropId AND ${codeSql.isCurrent}
     ), launched AS (
       UPDATE "Drop" d SET "run" = d."run" + 1, ${stockSql.startRun(':quantity::int')}, "duration" = :duration::int,
              "startedAt" = now(), "endTime" = now() + make_interval(hours => :duration::int),
              "isActive" = true, "archivedAt" = NULL, "updatedAt" = now(), ${earlySql.clear}
        WHERE d."id" = :dropId RETURNING d.*
     ), restocked AS (
       UPDATE "OptionValue" v SET ${valueSql.startRun('n."quantity"')}
         FROM unnest(:valueIds::int[], :valueQuantities::int[]) AS n("id", "quantity"), launched
        WHERE v."id" = n."id" AND v."dropId" = launched."id"
     )
     INSERT INTO "DropRun" ("dropId", "run", "quantity", "viewsBefore", "isAutoRenew", "startedAt", "endTime")
     SELECT "id", "run", "quantity", "views", :isAutoRenew::boolean, "startedAt", "endTime" FROM launched`,
    {
      dropId: drop.id,
      run: drop.run,
      duration,
      quantity,
      isAutoRenew,
      valueIds: values.map(({ id }) => id),
      valueQuantities: values.map((value) => value.quantity),
    },
  )
}
