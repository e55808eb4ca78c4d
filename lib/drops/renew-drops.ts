import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { AppError } from '@/lib/kernel/app-error'
import { queueMail } from '@/lib/notifications/queue-mail'
import { planRules } from '@/lib/plans/rules'
import { stockSql } from '@/lib/stock/stock-sql'
import { countFreeKeys } from './keys/add-keys'
import { areKeysTaken } from './keys/are-keys-taken'
import { assertFreeSlot, type LockedSeller, lockOwnDrop, lockSeller, readLockedValues } from './guards'
import { launchRun } from './launch-run'
import { renewedMail } from './mails'
import { nextValues } from './options/next-values'
import { isOver, nextQuantity } from './rules'

const BATCH = 500

type DueRun = { dropId: number; run: number; sellerId: number }

/**
 * Relaunches the drops of sellers who use auto-renew (docs/product.md#auto-renew). A run is due 24 hours after its end.
 * Whether it is renewed is decided once, when the job next runs while the platform is not paused. There are at most
 * three runs in a row, including the first. There is no new run, for example, after a run without a sale or when the
 * plan allows no further drop.
 * @returns how many drops are live again.
 * @throws the last error, after the other due drops were renewed
 */
export async function renewDrops(ctx: Context): Promise<number> {
  await clearRunsWithoutRenewal(ctx)
  let renewed = 0
  for (;;) {
    const due = await ctx.db.$queryRaw<DueRun[]>`
      SELECT r."dropId", r."run", d."userId" AS "sellerId" FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId"
       WHERE r."renewDueAt" <= now() ORDER BY r."renewDueAt", r."id" LIMIT ${BATCH}`
    let failure: unknown
    for (const run of due) {
      try {
        if (await renewDrop(ctx, run)) renewed += 1
      } catch (error) {
        failure = error
        ctx.log.error({ dropId: run.dropId, cause: String(error) }, 'drop could not be renewed; the job will try again')
      }
    }
    if (failure) throw failure
    if (due.length < BATCH) return renewed
  }
}

/**
 * Clears the renewal date of due runs that cannot be renewed, because their seller has auto-renew off, nothing was
 * sold, or the drop is an open edition. Most due runs are like this, so they are cleared in batches and not in one
 * transaction each.
 */
async function clearRunsWithoutRenewal(ctx: Context): Promise<void> {
  for (;;) {
    const cleared = await ctx.sql<{ id: number }>(
      'clear-runs-without-renewal',
      `UPDATE "DropRun" SET "renewDueAt" = NULL WHERE "id" IN (
         SELECT r."id" FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId" JOIN "User" u ON u."id" = d."userId"
          WHERE r."renewDueAt" <= now() AND (NOT u."autoRenewDrops" OR d."isOpenEdition" OR NOT ${stockSql.hasSold})
          LIMIT :limit FOR UPDATE OF r SKIP LOCKED)
       RETURNING "id"`,
      { limit: BATCH },
    )
    if (cleared.length < BATCH) return
  }
}

function renewDrop(ctx: Context, due: DueRun): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, due.sellerId)
    // The drop is locked before its run, because an opposite order could deadlock with the transactions that change a
    // drop. The run's renewal date is cleared whatever the result, so that only one process decides about the run.
    await tx.db.$queryRaw`SELECT 1 AS "locked" FROM "Drop" WHERE "id" = ${due.dropId} FOR NO KEY UPDATE`
    const claimed = await tx.db.dropRun.updateMany({
      where: { dropId: due.dropId, run: due.run, renewDueAt: { not: null } },
      data: { renewDueAt: null },
    })
    if (claimed.count === 0 || !seller) return false
    const isLaunched = await launchIfAllowed(tx, seller, due)
    if (isLaunched && seller.emailNotifications) {
      const drop = await tx.db.drop.findUniqueOrThrow({ where: { id: due.dropId } })
      await queueMail(tx, [renewedMail(drop, seller, ctx.appUrl)])
    }
    return isLaunched
  })
}

async function launchIfAllowed(tx: Context, seller: LockedSeller, due: DueRun): Promise<boolean> {
  if (seller.isSuspended || !seller.autoRenewDrops) return false
  try {
    const drop = await lockOwnDrop(tx, due)
    const keysLeft = drop.keysGiven === null ? null : await countFreeKeys(tx, drop.id)
    const quantity = nextQuantity({ ...drop, keysLeft })
    if (drop.run !== due.run || !isOver(drop, drop.now) || drop.moderation !== 'allowed') return false
    if (drop.isOpenEdition || drop.sold === 0 || quantity <= 0 || (await isThirdInARow(tx, due))) return false
    if (!planRules(seller).productTypes.includes(drop.productType)) return false
    // The seller may have used these keys elsewhere, for example while auto-renew was off.
    if (drop.keysGiven !== null && (await areKeysTaken(tx, drop.id))) return false
    await assertFreeSlot(tx, seller)
    const values = nextValues(drop, await readLockedValues(tx, drop.id))
    await launchRun(tx, drop, { duration: drop.duration, quantity, values, isAutoRenew: true })
    return true
  } catch (error) {
    // The drop was hidden in the meantime, or no slot is free, so it is not renewed.
    if (error instanceof AppError) return false
    throw error
  }
}

async function isThirdInARow(tx: Context, { dropId, run }: DueRun): Promise<boolean> {
  return (await tx.db.dropRun.count({ where: { dropId, run: { in: [run, run - 1] }, isAutoRenew: true } })) === 2
}
