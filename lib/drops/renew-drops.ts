import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { AppError } from '@/lib/kernel/app-error'
import { queueMail } from '@/lib/notifications/queue-mail'
import { planRules } from '@/lib/plans/rules'
import { stockSql } from '@/lib/stock/stock-sql'
import { assertFreeSlot, type LockedSeller, lockOwnDrop, lockSeller, readLockedValues } from './guards'
import { launchRun } from './launch-run'
import { renewedMail } from './mails'
import { nextValues } from './next-values'
import { isOver, nextQuantity } from './rules'

const BATCH = 500

type DueRun = { dropId: number; run: number; sellerId: number }

/**
 * Auto-renew (docs/product.md#auto-renew): each run is checked once, 24 hours after its end or as soon as the job runs
 * again after an outage. There are at most three runs in a row, the first included, none after a run without a sale, and
 * never more drops than the plan allows.
 * @returns how many drops are live again.
 */
export async function renewDrops(ctx: Context): Promise<number> {
  await clearRunsWithoutRenewal(ctx)
  let renewed = 0
  for (;;) {
    const due = await ctx.db.$queryRaw<DueRun[]>`
      SELECT r."dropId", r."run", d."userId" AS "sellerId" FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId"
       WHERE r."renewDueAt" <= now() ORDER BY r."renewDueAt", r."id" LIMIT ${BATCH}`
    let failed = 0
    for (const run of due) {
      try {
        if (await renewDrop(ctx, run)) renewed += 1
      } catch (error) {
        failed += 1
        ctx.log.error({ dropId: run.dropId, cause: String(error) }, 'drop not renewed')
      }
    }
    if (due.length < BATCH || failed > 0) return renewed
  }
}

/**
 * Most due runs are never renewed, because their seller did not ask for it or nothing was sold. Those are dismissed in
 * batches, so that they do not need a transaction each.
 */
async function clearRunsWithoutRenewal(ctx: Context): Promise<void> {
  for (;;) {
    const passed = await ctx.sql<{ id: number }>(
      'clear-runs-without-renewal',
      `UPDATE "DropRun" SET "renewDueAt" = NULL WHERE "id" IN (
         SELECT r."id" FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId" JOIN "User" u ON u."id" = d."userId"
          WHERE r."renewDueAt" <= now() AND (NOT u."autoRenewDrops" OR NOT ${stockSql.hasSold})
          LIMIT :limit FOR UPDATE OF r SKIP LOCKED)
       RETURNING "id"`,
      { limit: BATCH },
    )
    if (passed.length < BATCH) return
  }
}

function renewDrop(ctx: Context, due: DueRun): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, due.sellerId)
    // The drop is locked before its run, as everywhere. The run is marked as decided here, whatever the result, so that
    // only one process decides it.
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
    const quantity = nextQuantity(drop)
    if (drop.run !== due.run || !isOver(drop, drop.now) || drop.moderation !== 'allowed') return false
    if (drop.sold === 0 || quantity <= 0 || (await isThirdInARow(tx, due))) return false
    if (!planRules(seller).productTypes.includes(drop.productType)) return false
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
