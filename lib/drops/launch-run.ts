import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { LockedDrop } from './guards'

/**
 * Starts a new run of a drop that is over, on the same link (DECISIONS 18). Units still in checkout from the run before
 * stay taken. Call it with the seller's row and the drop's row locked.
 * @param run.quantity with the units in checkout.
 */
export async function launchRun(
  tx: Context,
  drop: LockedDrop,
  run: { duration: number; quantity: number; isAutoRenew: boolean },
): Promise<void> {
  await tx.db.$executeRaw`
    UPDATE "DropRun" SET "renewDueAt" = NULL
     WHERE "dropId" = ${drop.id} AND "run" = ${drop.run}`
  await tx.db.$executeRaw`
    UPDATE "Drop" SET "run" = "run" + 1, "quantity" = ${run.quantity}, "sold" = 0, "duration" = ${run.duration},
           "startedAt" = now(), "endTime" = now() + make_interval(hours => ${run.duration}::int),
           "isActive" = true, "archivedAt" = NULL, "updatedAt" = now()
     WHERE "id" = ${drop.id}`
  await tx.db.$executeRaw`
    INSERT INTO "DropRun" ("dropId", "run", "quantity", "viewsBefore", "isAutoRenew", "startedAt", "endTime")
    SELECT "id", "run", "quantity", "views", ${run.isAutoRenew}, "startedAt", "endTime" FROM "Drop"
     WHERE "id" = ${drop.id}`
}
