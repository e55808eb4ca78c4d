import 'server-only'
import type { Context } from '@/lib/infra/context'
import { stockSql } from '@/lib/stock/stock-sql'
import type { LockedDrop } from './guards'

/**
 * Starts a new run of a drop that is over, on the same link (docs/product.md#relaunching). Units still in checkout from
 * the previous run stay held. Call it with the seller's row and the drop's row locked.
 * @param next.quantity includes the units in checkout.
 */
export async function launchRun(
  tx: Context,
  drop: LockedDrop,
  next: { duration: number; quantity: number; isAutoRenew: boolean },
): Promise<void> {
  await tx.sql(
    'launch-run',
    `WITH closed AS (
       UPDATE "DropRun" SET "renewDueAt" = NULL WHERE "dropId" = :dropId AND "run" = :run
     ), launched AS (
       UPDATE "Drop" d SET "run" = d."run" + 1, ${stockSql.startRun(':quantity::int')}, "duration" = :duration::int,
              "startedAt" = now(), "endTime" = now() + make_interval(hours => :duration::int),
              "isActive" = true, "archivedAt" = NULL, "updatedAt" = now()
        WHERE d."id" = :dropId RETURNING d.*
     )
     INSERT INTO "DropRun" ("dropId", "run", "quantity", "viewsBefore", "isAutoRenew", "startedAt", "endTime")
     SELECT "id", "run", "quantity", "views", :isAutoRenew::boolean, "startedAt", "endTime" FROM launched`,
    { ...next, dropId: drop.id, run: drop.run },
  )
}
